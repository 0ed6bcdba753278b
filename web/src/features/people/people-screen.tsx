import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { Schemas } from '../../../../src/client/shapes.ts';
import { type Role, roles, type Scope, scopes } from '../../../../src/roles.ts';
import { api } from '../../api/kensa.ts';
import { clientsQuery, refreshAll, terminalsQuery, usersQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { ActionButton, Button } from '../../components/button.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { CompactSelect, ErrorNote, Form, SelectField, TextField } from '../../components/field.tsx';
import { Card, DataTable, Loaded, Page, PageHeader } from '../../components/page.tsx';
import { errorText } from '../../components/toast.tsx';
import { dateText, t, timeText } from '../../i18n/text.ts';

type User = Schemas['User'];
type Client = Schemas['MachineClient'];
type Terminal = Schemas['Terminal'];

const roleOptions = () => roles.map((role) => [role, t(`role.${role}`)] as const);
const scopeOptions = () => scopes.map((scope) => [scope, t(`role.${scope}`)] as const);

/** People, machine clients and shared terminals, for admins. */
export function PeopleScreen() {
  const users = useQuery(usersQuery());
  const clients = useQuery(clientsQuery());
  const terminals = useQuery(terminalsQuery());
  const [adding, setAdding] = useState<'user' | 'client'>();
  const close = () => setAdding(undefined);
  return (
    <Page>
      <PageHeader title={t('peopleTitle')} />
      <Card
        title={t('people')}
        aside={<Button icon="plus" label={t('addPerson')} size="small" onClick={() => setAdding('user')} />}
      >
        <p className="mb-3 text-ink-soft">{t('rolesHint')}</p>
        <Loaded query={users}>{(rows) => <UserTable users={rows} />}</Loaded>
      </Card>
      <Card
        title={t('clients')}
        aside={<Button icon="plus" label={t('addClient')} size="small" onClick={() => setAdding('client')} />}
      >
        <p className="mb-3 text-ink-soft">{t('clientsHint')}</p>
        <Loaded query={clients}>{(rows) => <ClientTable clients={rows} />}</Loaded>
      </Card>
      <Card title={t('terminals')}>
        <p className="mb-3 text-ink-soft">{t('terminalsHint')}</p>
        <Loaded query={terminals}>
          {(rows) => (rows.length === 0 ? <p>{t('terminalsNone')}</p> : <TerminalTable terminals={rows} />)}
        </Loaded>
      </Card>
      {adding === 'user' && <AddUserDialog onClose={close} />}
      {adding === 'client' && <AddClientDialog onClose={close} />}
    </Page>
  );
}

async function changeUser(user_id: string, body: Schemas['UserChange']): Promise<void> {
  await api.PUT('/api/v1/users/{user_id}', { params: { path: { user_id } }, body });
  await refreshAll();
}

function UserTable({ users }: { users: readonly User[] }) {
  const [password, setPassword] = useState<User>();
  const role = useMutation({
    mutationFn: ({ id, next }: { id: string; next: Role }) => changeUser(id, { role: next }),
  });
  const ways = ({ has_password, has_pin, single_sign_on }: User) =>
    [has_password && t('password'), has_pin && 'PIN', single_sign_on && t('singleSignOn')].filter(Boolean).join(', ');
  return (
    <>
      <DataTable
        caption={t('people')}
        rows={users}
        rowKey={({ user_id }) => user_id}
        columns={[
          {
            title: t('name'),
            cell: ({ name, disabled_at }) => (
              <span className="inline-flex flex-wrap items-center gap-2 font-medium">
                {name} {disabled_at !== null && <Badge tone="ng">{t('disabled')}</Badge>}
              </span>
            ),
          },
          {
            title: t('role'),
            cell: ({ user_id: id, name, role: current }) => (
              <CompactSelect
                label={t('roleOf', { name })}
                value={current}
                options={roleOptions()}
                onChange={(next) => role.mutate({ id, next: next as Role })}
              />
            ),
          },
          { title: t('signsInWith'), cell: ways, wide: true },
          { title: t('since'), cell: ({ created_at }) => dateText(created_at), wide: true },
          {
            title: <span className="sr-only">{t('actions')}</span>,
            cell: (user) => (
              <span className="flex justify-end gap-2 max-md:flex-col">
                <Button label={t('setPassword')} size="small" onClick={() => setPassword(user)} />
                <ActionButton
                  label={t(user.disabled_at === null ? 'disable' : 'enable')}
                  size="small"
                  action={() => changeUser(user.user_id, { disabled: user.disabled_at === null })}
                />
              </span>
            ),
          },
        ]}
      />
      {password && <PasswordDialog user={password} onClose={() => setPassword(undefined)} />}
    </>
  );
}

function NewPasswordField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      label={t('password')}
      hint={t('passwordHint')}
      name="password"
      type="password"
      autoComplete="new-password"
      required
      minLength={8}
      maxLength={200}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => changeUser(user.user_id, { password }),
    onSuccess: onClose,
  });
  return (
    <Dialog title={t('passwordOf', { name: user.name })} onClose={onClose}>
      <Form onSubmit={mutate} className="flex flex-col gap-4">
        <NewPasswordField value={password} onChange={setPassword} />
        {error && <ErrorNote>{errorText(error)}</ErrorNote>}
        <Button label={t('save')} type="submit" look="primary" disabled={isPending} />
      </Form>
    </Dialog>
  );
}

function AddUserDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('inspector');
  const [password, setPassword] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await api.POST('/api/v1/users', { body: { name: name.trim(), role, password } });
      await refreshAll();
    },
    onSuccess: onClose,
  });
  return (
    <Dialog title={t('addPerson')} onClose={onClose}>
      <Form onSubmit={mutate} className="flex flex-col gap-4">
        <TextField
          label={t('name')}
          name="name"
          autoComplete="off"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label={t('role')}
          value={role}
          options={roleOptions()}
          onChange={(next) => setRole(next as Role)}
        />
        <NewPasswordField value={password} onChange={setPassword} />
        {error && <ErrorNote>{errorText(error)}</ErrorNote>}
        <Button label={t('addPerson')} type="submit" look="primary" disabled={isPending} />
      </Form>
    </Dialog>
  );
}

const ofClient = (client_id: string) => ({ params: { path: { client_id } } });

function ClientTable({ clients }: { clients: readonly Client[] }) {
  const [revoking, setRevoking] = useState<Client>();
  const scope = useMutation({
    mutationFn: async ({ id, next }: { id: string; next: Scope }) => {
      await api.PUT('/api/v1/clients/{client_id}', { ...ofClient(id), body: { scope: next } });
      await refreshAll();
    },
  });
  const revoke = async (id: string) => {
    await api.DELETE('/api/v1/clients/{client_id}', ofClient(id));
    setRevoking(undefined);
    await refreshAll();
  };
  return (
    <>
      <DataTable
        caption={t('clients')}
        rows={clients}
        rowKey={({ client_id }) => client_id}
        columns={[
          {
            title: t('name'),
            cell: ({ name, client_id, revoked_at }) => (
              <>
                <span className="inline-flex flex-wrap items-center gap-2 font-medium">
                  {name} {revoked_at !== null && <Badge tone="ng">{t('revoked')}</Badge>}
                </span>
                <code className="block text-[12px] text-ink-soft break-all">{client_id}</code>
              </>
            ),
          },
          {
            title: t('scope'),
            cell: ({ client_id: id, name, scope: current, revoked_at }) => (
              <CompactSelect
                label={t('roleOf', { name })}
                value={current}
                options={scopeOptions()}
                disabled={revoked_at !== null}
                onChange={(next) => scope.mutate({ id, next: next as Scope })}
              />
            ),
          },
          { title: t('since'), cell: ({ created_at }) => dateText(created_at), wide: true },
          {
            title: <span className="sr-only">{t('actions')}</span>,
            cell: (client) =>
              client.revoked_at === null && (
                <span className="flex justify-end">
                  <Button label={t('revoke')} size="small" look="danger" onClick={() => setRevoking(client)} />
                </span>
              ),
          },
        ]}
      />
      {revoking && (
        <ConfirmDialog
          title={t('revokeTitle', { name: revoking.name })}
          confirm={t('revoke')}
          action={() => revoke(revoking.client_id)}
          onClose={() => setRevoking(undefined)}
        >
          <p>{t('revokeHint')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function AddClientDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('inspector');
  const { mutate, error, isPending, data } = useMutation({
    mutationFn: async () => {
      const made = await dataOf(api.POST('/api/v1/clients', { body: { name: name.trim(), scope } }));
      await refreshAll();
      return made;
    },
  });
  return (
    <Dialog title={t('addClient')} onClose={onClose}>
      {data ? (
        <div className="flex flex-col gap-3">
          <p>{t('secretOnce')}</p>
          <TextField label={t('clientId')} readOnly value={data.client_id} />
          <TextField label={t('clientSecret')} readOnly value={data.client_secret} />
          <Button label={t('close')} look="primary" onClick={onClose} />
        </div>
      ) : (
        <Form onSubmit={mutate} className="flex flex-col gap-4">
          <TextField
            label={t('name')}
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <SelectField
            label={t('scope')}
            value={scope}
            options={scopeOptions()}
            onChange={(next) => setScope(next as Scope)}
          />
          {error && <ErrorNote>{errorText(error)}</ErrorNote>}
          <Button label={t('addClient')} type="submit" look="primary" disabled={isPending} />
        </Form>
      )}
    </Dialog>
  );
}

function TerminalTable({ terminals }: { terminals: readonly Terminal[] }) {
  const [chosen, setChosen] = useState<Terminal>();
  const end = async (terminal_id: string) => {
    await api.DELETE('/api/v1/terminals/{terminal_id}', { params: { path: { terminal_id } } });
    setChosen(undefined);
    await refreshAll();
  };
  return (
    <>
      <DataTable
        caption={t('terminals')}
        rows={terminals}
        rowKey={({ terminal_id }) => terminal_id}
        columns={[
          {
            title: t('name'),
            cell: ({ name, address }) => (
              <>
                <span className="font-medium">{name}</span>
                <span className="block text-[12px] text-ink-soft break-all">{address}</span>
              </>
            ),
          },
          { title: t('terminalPerson'), cell: ({ signed_in: person }) => person?.name ?? t('nobody') },
          { title: t('since'), cell: ({ created_at }) => dateText(created_at), wide: true },
          { title: t('terminalUsed'), cell: ({ used_at }) => used_at !== null && timeText(used_at), wide: true },
          {
            title: <span className="sr-only">{t('actions')}</span>,
            cell: (terminal) => (
              <span className="flex justify-end">
                <Button label={t('terminalStop')} size="small" look="danger" onClick={() => setChosen(terminal)} />
              </span>
            ),
          },
        ]}
      />
      {chosen && (
        <ConfirmDialog
          title={t('terminalStopTitle', { name: chosen.name })}
          confirm={t('terminalStop')}
          action={() => end(chosen.terminal_id)}
          onClose={() => setChosen(undefined)}
        >
          <p>{t('terminalStopHint')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
