import Type, { type Static } from 'typebox';
import { DateTime, Id, Nullable, Shape } from '../../http/common-schemas.ts';
import { pinRoles, roles, scopes } from '../../roles.ts';

const RoleName = Type.Enum([...roles], { type: 'string' });
const ScopeName = Type.Enum([...scopes], { type: 'string', description: 'everything, or no more than a role' });
const PersonName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
const Password = Type.String({ minLength: 8, maxLength: 200 });
const Secret = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });

export const SignIn = Shape('SignIn', {
  name: Type.String({ minLength: 1, maxLength: 200, description: 'of a person, or the id of a client' }),
  password: Secret('of the person, or the secret of the client'),
});

export const PageSession = Shape('PageSession', {
  account: Nullable(
    Shape('SessionAccount', {
      kind: Type.Enum(['user', 'client'], { type: 'string' }),
      id: Type.String(),
      name: Type.String(),
      role: RoleName,
      method: Type.Enum(['password', 'sso', 'pin'], { type: 'string' }),
      has_pin: Type.Boolean(),
      expires_at: DateTime(),
    }),
  ),
  first_start: Type.Boolean({ description: 'true: there is nobody yet; sign in as a client and make the first admin' }),
  single_sign_on: Nullable(Type.String({ description: 'what its button says; null: there is no single sign-on' })),
  pin_role: Type.Enum([...pinRoles], { type: 'string', description: 'the highest role that a PIN opens' }),
  terminal: Nullable(
    Shape('SharedTerminal', {
      name: Type.String(),
      people: Type.Array(Shape('TerminalPerson', { user_id: Type.String(), name: Type.String() }), {
        description: 'who may sign in here by PIN',
      }),
    }),
  ),
});

const Pin = Type.String({ pattern: '^[0-9]{4,8}$', description: '4 to 8 digits' });
export const PinSignIn = Shape('PinSignIn', { user_id: Id('person'), pin: Pin });
export const OwnPin = Shape('OwnPin', { pin: Type.Union([Pin, Type.Null()], { description: 'null takes it away' }) });
export const NewTerminal = Shape('NewTerminal', { name: PersonName });

export const SignedOut = Shape('SignedOut', {
  sign_out_url: Nullable(Type.String({ description: 'where to sign out at the provider of single sign-on, too' })),
});
export const SsoQuery = Type.Object({
  return_to: Type.Optional(Type.String({ maxLength: 1000, description: 'path of the page to come back to' })),
});

export const OwnPassword = Shape('OwnPassword', { current: Secret('the password until now'), password: Password });

export const User = Shape('User', {
  user_id: Type.String(),
  name: Type.String(),
  role: RoleName,
  has_password: Type.Boolean(),
  has_pin: Type.Boolean(),
  single_sign_on: Type.Boolean({ description: 'whether the provider of single sign-on knows this person' }),
  created_at: DateTime(),
  disabled_at: Nullable(DateTime()),
});
export const NewUser = Shape('NewUser', {
  name: PersonName,
  role: RoleName,
  password: Type.Optional(Password),
});
export const UserChange = Shape('UserChange', {
  name: Type.Optional(PersonName),
  role: Type.Optional(RoleName),
  disabled: Type.Optional(Type.Boolean({ description: 'true: ends the sessions of this person at once' })),
  password: Type.Optional(Password),
});
export const UserIdParams = Type.Object({ user_id: Id('person') });

export const MachineClient = Shape('MachineClient', {
  client_id: Type.String(),
  name: Type.String(),
  scope: ScopeName,
  created_at: DateTime(),
  revoked_at: Nullable(DateTime()),
});
export const NewClient = Shape('NewClient', {
  name: PersonName,
  scope: Type.Optional(ScopeName),
});
export const ClientSecret = Shape('ClientSecret', {
  client_id: Type.String(),
  client_secret: Type.String({ description: 'not kept, and not shown again' }),
});
export const ClientChange = Shape('ClientChange', { scope: ScopeName });
export const ClientIdParams = Type.Object({ client_id: Id('client') });

export const Terminal = Shape('Terminal', {
  terminal_id: Type.String(),
  name: Type.String(),
  address: Nullable(Type.String({ description: 'of the browser, at the last sign-in there' })),
  created_at: DateTime(),
  used_at: Nullable(DateTime()),
  signed_in: Nullable(
    Shape('TerminalSession', {
      name: Type.String(),
      method: Type.Enum(['password', 'sso', 'pin'], { type: 'string' }),
    }),
  ),
});
export const TerminalIdParams = Type.Object({ terminal_id: Id('terminal') });

export type PageSessionView = Static<typeof PageSession>;
