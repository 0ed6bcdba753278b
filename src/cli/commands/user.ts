import { type Command, Option } from 'commander';
import type { User } from '../../domains/auth/user.store.ts';
import { type Role, roles } from '../../roles.ts';
import { CommandError } from '../command-error.ts';
import { readSecret } from '../read-secret.ts';
import { textTable } from '../text-table.ts';
import { withAccounts } from '../with-accounts.ts';

interface Output {
  readonly json?: boolean;
}

const shortestPassword = 8;

export function registerUser(program: Command): void {
  const user = program.command('user').description('the people who sign in on the page');

  user
    .command('add <name>')
    .description('make an account; the password comes from the terminal or from standard input')
    .addOption(new Option('--role <role>', 'what this person may do').choices(roles).default('viewer'))
    .option('--json', 'print JSON')
    .action(async (name: string, { role, json }: Output & { role: Role }) => {
      const password = await readPassword();
      show(await withAccounts(({ users }) => users.addUser({ name, role, password })), json);
    });

  user
    .command('list')
    .description('show all people')
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const rows = (await withAccounts(({ users }) => users.listUsers())).map(viewOf);
      if (json) return console.log(JSON.stringify(rows));
      const cells = rows.map((row) => [row.name, row.role, row.signs_in_with, row.created_at, row.disabled_at ?? '']);
      console.log(textTable(['name', 'role', 'signs in with', 'made', 'disabled'], cells));
    });

  user
    .command('disable <name>')
    .description('end the account and all its sessions, at once')
    .option('--json', 'print JSON')
    .action((name: string, { json }: Output) => change(name, { disabled: true }, json));

  user
    .command('enable <name>')
    .description('give a disabled account back')
    .option('--json', 'print JSON')
    .action((name: string, { json }: Output) => change(name, { disabled: false }, json));

  user
    .command('set-role <name>')
    .description('change what this person may do')
    .addArgument(program.createArgument('<role>').choices(roles))
    .option('--json', 'print JSON')
    .action((name: string, role: Role, { json }: Output) => change(name, { role }, json));

  user
    .command('set-password <name>')
    .description('another password, from the terminal or from standard input; ends all sessions')
    .action(async (name: string) => {
      const password = await readPassword();
      await withAccounts(async ({ users }) => users.setPassword((await users.getUserNamed(name)).user_id, password));
      console.log(`${name} has a new password.`);
    });
}

async function readPassword(): Promise<string> {
  const password = await readSecret('Password');
  if (password.length >= shortestPassword && password.length <= 200) return password;
  throw new CommandError(`The password has ${password.length} characters. Take one of ${shortestPassword} to 200.`);
}

async function change(name: string, changes: { role?: Role; disabled?: boolean }, json = false): Promise<void> {
  const changed = await withAccounts(async ({ users }) =>
    users.changeUser((await users.getUserNamed(name)).user_id, changes),
  );
  show(changed, json);
}

function show(user: User, json = false): void {
  const { name, role, disabled_at: disabledAt } = user;
  if (json) console.log(JSON.stringify(viewOf(user)));
  else console.log(`${name} has the role ${role}${disabledAt === null ? '' : ' and is disabled'}.`);
}

function viewOf({ user_id, name, role, created_at, disabled_at, ...user }: User) {
  const ways = [user.password_hash && 'password', user.pin_hash && 'PIN', user.subject && 'single sign-on'];
  return { user_id, name, role, signs_in_with: ways.filter(Boolean).join(', '), created_at, disabled_at };
}
