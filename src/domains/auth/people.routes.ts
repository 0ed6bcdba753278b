import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Data } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import {
  ClientChange,
  ClientIdParams,
  ClientSecret,
  MachineClient,
  NewClient,
  NewUser,
  Terminal,
  TerminalIdParams,
  User,
  UserChange,
  UserIdParams,
} from './auth.schemas.ts';
import type { AuthService } from './auth.service.ts';
import type { Client } from './client.store.ts';
import type { TerminalsService } from './terminals.service.ts';
import type { User as UserRow } from './user.store.ts';
import type { UsersService } from './users.service.ts';

/** People, machine clients and shared terminals. */
export function peopleRoutes({
  users,
  auth,
  terminals,
}: {
  users: UsersService;
  auth: AuthService;
  terminals: TerminalsService;
}): FastifyPluginAsyncTypebox {
  const operation = operationsOf('People');
  return async (app) => {
    app.get(
      '/api/v1/users',
      operation('getUsers', 'ext: all people', { role: 'admin', answer: Type.Array(User) }),
      async () => ({ data: (await users.listUsers()).map(viewUser) }),
    );
    app.post(
      '/api/v1/users',
      operation('addUser', 'ext: make an account for a person', {
        role: 'admin',
        body: NewUser,
        response: { 201: Data(User) },
        errors: [422],
      }),
      async ({ body }, reply) => reply.status(201).send({ data: viewUser(await users.addUser(body)) }),
    );
    app.put(
      '/api/v1/users/:user_id',
      operation('changeUser', 'ext: change name, role or password of a person, or disable the account', {
        role: 'admin',
        params: UserIdParams,
        body: UserChange,
        answer: User,
        errors: [404, 409, 422],
      }),
      async ({ params, body: { password, ...changes } }) => {
        if (Object.keys(changes).length > 0) await users.changeUser(params.user_id, changes);
        if (password !== undefined) await users.setPassword(params.user_id, password);
        return { data: viewUser(await users.requireUser(params.user_id)) };
      },
    );
    app.get(
      '/api/v1/clients',
      operation('getClients', 'ext: all machine clients', { role: 'admin', answer: Type.Array(MachineClient) }),
      async () => ({ data: (await auth.listClients()).map(viewClient) }),
    );
    app.post(
      '/api/v1/clients',
      operation('addClient', 'ext: make a machine client; its secret is shown once', {
        role: 'admin',
        body: NewClient,
        response: { 201: Data(ClientSecret) },
        errors: [422],
      }),
      async ({ body }, reply) => reply.status(201).send({ data: viewSecret(await auth.addClient(body)) }),
    );
    app.put(
      '/api/v1/clients/:client_id',
      operation('changeClient', 'ext: change the scope of a machine client', {
        role: 'admin',
        params: ClientIdParams,
        body: ClientChange,
        answer: MachineClient,
        errors: [404, 422],
      }),
      async ({ params, body }) => ({ data: viewClient(await auth.changeScope(params.client_id, body.scope)) }),
    );
    app.post(
      '/api/v1/clients/:client_id/secret',
      operation('renewClientSecret', 'ext: another secret for a machine client; ends the tokens of the old one', {
        role: 'admin',
        params: ClientIdParams,
        answer: ClientSecret,
        errors: [404],
      }),
      async ({ params }) => ({ data: viewSecret(await auth.renewSecret(params.client_id)) }),
    );
    app.delete(
      '/api/v1/clients/:client_id',
      operation('revokeClient', 'ext: end a machine client and all its tokens', {
        role: 'admin',
        params: ClientIdParams,
        answer: MachineClient,
        errors: [404],
      }),
      async ({ params }) => ({ data: viewClient(await auth.revokeClient(params.client_id)) }),
    );
    app.get(
      '/api/v1/terminals',
      operation('getTerminals', 'ext: all shared terminals, and who is signed in there', {
        role: 'admin',
        answer: Type.Array(Terminal),
      }),
      async () => ({ data: await terminals.list() }),
    );
    app.delete(
      '/api/v1/terminals/:terminal_id',
      operation('endTerminal', 'ext: end a shared terminal at once, with the session there', {
        role: 'admin',
        params: TerminalIdParams,
        response: { 204: { type: 'null', description: 'done' } },
        errors: [404],
      }),
      async ({ params }, reply) => {
        await terminals.end(params.terminal_id);
        return reply.status(204).send(null as never);
      },
    );
  };
}

const viewUser = ({ user_id, name, role, created_at, disabled_at, ...user }: UserRow) => ({
  user_id,
  name,
  role,
  has_password: user.password_hash !== null,
  has_pin: user.pin_hash !== null,
  single_sign_on: user.subject !== null,
  created_at,
  disabled_at,
});

const viewClient = ({ secret_hash: _, ...client }: Client) => client;

const viewSecret = ({ clientId, secret }: { clientId: string; secret: string }) => ({
  client_id: clientId,
  client_secret: secret,
});
