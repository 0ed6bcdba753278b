import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayAct, type Role, roles, scopes } from '../../src/roles.ts';
import { openAccounts } from '../support/open-accounts.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly needed: Role | 'open';
}

let service: TestService;
let operations: Operation[];
const tokens = new Map<string, string>();

beforeAll(async () => {
  service = await startTestService({}, { work: false });
  const auth = await openAccounts(service.db);
  for (const scope of scopes) {
    await auth.addClient({ clientId: scope, secret: 'a secret of the tests', name: scope, scope });
    const { accessToken } = await auth.login(scope, 'a secret of the tests');
    tokens.set(scope, accessToken);
  }
  const document = (await service.call('GET', '/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, { 'x-role'?: Role | 'open' }>>;
  };
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { 'x-role': needed = 'open' }]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{[^}]+\}/g, 'x'),
      needed,
    })),
  );
});
afterAll(() => service.stop());

/** How the service answers: `token` asks for one, `role` refuses the role, `in` lets the request in. */
async function knock({ method, path }: Operation, token: string | null): Promise<'token' | 'role' | 'in'> {
  const { status, body } = await service.call(method, path, { token });
  const code = (body['errors'] as { code?: string } | undefined)?.code;
  if (code === 'role-insufficient') {
    expect(status).toBe(403);
    return 'role';
  }
  return code === 'token-missing' ? 'token' : 'in';
}

describe('every operation of the document', () => {
  it('is let in with the roles that it names, and refused without', async () => {
    const wrong: string[] = [];
    for (const operation of operations) {
      for (const role of [undefined, ...roles]) {
        const answer = await knock(operation, role === undefined ? null : (tokens.get(role) ?? ''));
        const isOpen = operation.needed === 'open';
        const expected =
          isOpen || (role && mayAct(role, operation.needed as Role)) ? 'in' : role === undefined ? 'token' : 'role';
        if (answer !== expected) wrong.push(`${operation.method} ${operation.path} ${role ?? 'without'}: ${answer}`);
      }
    }
    expect(operations.length).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  it('is let in with the scope all', async () => {
    for (const operation of operations) expect(await knock(operation, tokens.get('all') ?? '')).toBe('in');
  });

  it('beside the open ones is one of those that are meant to be open', () => {
    const open = operations.filter(({ needed }) => needed === 'open').map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual([
      'DELETE /api/v1/session',
      'GET /api/v1/files/x/x',
      'GET /api/v1/session',
      'GET /api/v1/session/sso',
      'GET /healthz',
      'GET /readyz',
      'POST /api/auth/token',
      'POST /api/v1/session',
      'POST /api/v1/session/pin',
    ]);
  });
});

it('says which scope a client has, and refuses in both languages', async () => {
  const login = { client_id: 'viewer', client_secret: 'a secret of the tests', grant_type: 'client_credentials' };
  expect((await service.call('POST', '/api/auth/token', { body: login, token: null })).body).toMatchObject({
    scope: 'viewer',
  });
  const headers = { 'accept-language': 'ja' };
  const refused = await service.call('PUT', '/api/v1/labels', { token: tokens.get('viewer') ?? '', headers });
  expect(JSON.stringify(refused.body)).toContain('役割「技術者」');
});
