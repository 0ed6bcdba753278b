import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

/** The address of the service in the browser. */
export const publicUrl = 'http://kensa.test';
export const signingKeyId = 'of the tests';
const client = { client_id: 'kensa', client_secret: 'a secret at the provider' };

export interface Account {
  readonly name: string;
  roles: string | string[];
}

/** A real provider of OpenID Connect on loopback. It asks for an account by its id, and for nothing else. */
export async function startProvider(accounts: Record<string, Account>, serviceUrl = publicUrl) {
  const callback = `${serviceUrl}/api/v1/session/sso/callback`;
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey: signingKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(signingKey)), kid: signingKeyId, alg: 'RS256', use: 'sig' }] },
    clients: [
      {
        ...client,
        redirect_uris: [callback],
        post_logout_redirect_uris: [`${serviceUrl}/`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
      { client_id: 'another', client_secret: 'another secret', redirect_uris: [callback] },
    ],
    claims: { openid: ['sub'], profile: ['name', 'roles'] },
    conformIdTokenClaims: false,
    issueRefreshToken: async () => true,
    ttl: { AccessToken: 1, IdToken: 60, RefreshToken: 600, Session: 600, Grant: 600, Interaction: 600 },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...accounts[id] }),
    }),
    interactions: { url: (_context: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
  });
  const handle = provider.callback();
  let nextAccount = '';
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response);
    const details = await provider.interactionDetails(request, response);
    const grant = new provider.Grant({ accountId: nextAccount, clientId: String(details.params['client_id']) });
    grant.addOIDCScope('openid profile offline_access');
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { login: { accountId: nextAccount }, consent });
  });
  return {
    issuer,
    provider,
    /** What its ID tokens are signed with. */
    signingKey,
    /** Who the next person is that comes. */
    expectAccount(account: string): void {
      nextAccount = account;
    },
    /** Goes the way of a browser at the provider. @returns where it leads back to */
    async visit(start: string, account: string): Promise<string> {
      nextAccount = account;
      const cookies = new Map<string, string>();
      for (let url = start, hop = 0; hop < 10; hop++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
        for (const line of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const to = answer.headers.get('location');
        if (to === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
        url = new URL(to, url).href;
        if (url.startsWith(serviceUrl)) return url.slice(serviceUrl.length);
      }
      throw new Error('The provider leads nowhere.');
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The settings of a service that signs people in at this provider. */
export const settingsFor = (issuer: string, serviceUrl = publicUrl) => ({
  KENSA_PUBLIC_URL: serviceUrl,
  KENSA_SSO_ISSUER: issuer,
  KENSA_SSO_CLIENT_ID: client.client_id,
  KENSA_SSO_CLIENT_SECRET: client.client_secret,
  KENSA_SSO_ROLES: 'quality=engineer, line=inspector',
});
