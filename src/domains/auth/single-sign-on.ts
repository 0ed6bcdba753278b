import * as oidc from 'openid-client';
import { AppError } from '../../errors.ts';
import { type Role, roles } from '../../roles.ts';
import type { Db } from '../../storage/database.ts';
import type { Session, SessionStore } from './session.store.ts';
import { callerOfUser, type Origin, type SessionsService, type StartedSession } from './sessions.service.ts';
import type { UsersService } from './users.service.ts';

export type SingleSignOn = ReturnType<typeof createSingleSignOn>;

export interface SingleSignOnSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button of the page says. */
  readonly name: string;
  /** The claim of the ID token that says what a person may do: a text, or an array of texts. */
  readonly roleClaim: string;
  /** Role by value of that claim. */
  readonly roles: Readonly<Record<string, Role>>;
  /** The address of this service in the browser. */
  readonly publicUrl: string;
}

/** What the browser keeps while the person is at the provider. */
interface Journey {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
}

const callbackPath = '/api/v1/session/sso/callback';
const retryMs = 60_000;

/** OpenID Connect: authorization code flow with PKCE, state and nonce. */
export function createSingleSignOn(dependencies: {
  db: Db;
  settings: SingleSignOnSettings;
  users: UsersService;
  sessions: SessionsService;
  store: SessionStore;
}) {
  const { db, settings, users, sessions, store } = dependencies;
  const redirectUri = new URL(callbackPath, settings.publicUrl).href;
  let known: Promise<oidc.Configuration> | undefined;

  /** The provider's own description, asked for again where that failed. @throws AppError `sso-unavailable` */
  const provider = (): Promise<oidc.Configuration> => {
    const { issuer, clientId, clientSecret } = settings;
    const isPlain = issuer.startsWith('http:');
    known ??= oidc
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: 5,
        // Signatures of ID tokens are checked, although they come from the provider's own address.
        execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
      })
      .catch((cause) => {
        known = undefined;
        throw new AppError('sso-unavailable', {}, { cause });
      });
    return known;
  };

  /** The highest role among the values of the claim. */
  const roleOf = (claims: oidc.IDToken): Role | undefined => {
    const values = [claims[settings.roleClaim]].flat().filter((value) => typeof value === 'string');
    const given = values.map((value) => (Object.hasOwn(settings.roles, value) ? settings.roles[value] : undefined));
    return roles.findLast((role) => given.includes(role));
  };

  const tokensOf = (answer: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers) => ({
    refresh_token: answer.refresh_token ?? null,
    check_at:
      answer.refresh_token === undefined
        ? null
        : new Date(Date.now() + (answer.expires_in ?? 300) * 1000).toISOString(),
  });

  return {
    name: settings.name,

    /** @returns where the browser goes, and what it keeps meanwhile. */
    async begin(returnTo: string): Promise<{ url: string; kept: string }> {
      const config = await provider();
      const journey: Journey = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        returnTo: ownPath(returnTo),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid profile offline_access',
        state: journey.state,
        nonce: journey.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(journey.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, kept: Buffer.from(JSON.stringify(journey)).toString('base64url') };
    },

    /** @param query of the address at which the browser came back @throws AppError `sso-…` */
    async finish(query: string, kept: string, origin: Origin): Promise<{ started: StartedSession; returnTo: string }> {
      const journey = readJourney(kept);
      const config = await provider();
      const answer = await oidc
        .authorizationCodeGrant(config, new URL(query, redirectUri), {
          expectedState: journey.state,
          expectedNonce: journey.nonce,
          pkceCodeVerifier: journey.verifier,
          idTokenExpected: true,
        })
        .catch(async (cause) => {
          await sessions.refuse(undefined, { method: 'sso' });
          throw new AppError('sso-refused', {}, { cause });
        });
      const claims = answer.claims();
      const role = claims && roleOf(claims);
      if (!claims || !role) {
        await sessions.refuse(undefined, { method: 'sso', subject: claims?.sub });
        throw new AppError('sso-no-role');
      }
      const subject = `${claims.iss} ${claims.sub}`;
      const name = [claims['name'], claims['preferred_username'], claims['email'], claims.sub].find(
        (value): value is string => typeof value === 'string' && value.trim() !== '',
      );
      const started = await db.transaction().execute(async (trx) => {
        const user = await users.takeOver(trx, { subject, name: (name ?? claims.sub).slice(0, 100), role });
        if (user.disabled_at !== null) return user;
        await users.unlockPin(trx, user.user_id);
        const tokens = { ...tokensOf(answer), id_token: answer.id_token ?? null };
        return sessions.open(trx, callerOfUser(user), user.password_hash ?? '', origin, { method: 'sso', ...tokens });
      });
      if ('user_id' in started) {
        await sessions.refuse({ id: started.user_id, name: started.name }, { method: 'sso' });
        throw new AppError('sign-in-refused');
      }
      return { started, returnTo: ownPath(journey.returnTo) };
    },

    /**
     * Asks the provider again when the access token has run out: whether the person may still come in, and with which role.
     * A provider that does not answer changes nothing until the session ends by itself.
     * @returns whether the session goes on
     */
    async check(session: Session): Promise<boolean> {
      const { session_hash: hash, check_at: due, refresh_token: refreshToken } = session;
      if (due === null || refreshToken === null || due > new Date().toISOString()) return true;
      // One request asks; a refresh token may work once only.
      if (!(await store.claimCheck(hash, due, new Date(Date.now() + retryMs).toISOString()))) return true;
      try {
        const answer = await oidc.refreshTokenGrant(await provider(), refreshToken);
        const claims = answer.claims();
        const role = claims && roleOf(claims);
        if (claims && !role) throw new AppError('sso-no-role');
        if (claims && role) {
          const subject = `${claims.iss} ${claims.sub}`;
          const { subject: own } = await users.requireUser(session.account_id);
          if (subject !== own) throw new AppError('sso-refused');
          await db.transaction().execute((trx) => users.takeOver(trx, { subject, name: claims.sub, role }));
        }
        await store.updateSession(hash, { ...tokensOf(answer), refresh_token: answer.refresh_token ?? refreshToken });
        return true;
      } catch (error) {
        const isRefused =
          error instanceof oidc.ResponseBodyError ||
          (error instanceof AppError && ['sso-no-role', 'sso-refused'].includes(error.code));
        if (!isRefused) return true;
        await store.deleteSession(db, hash);
        const { user_id: id, name } = await users.requireUser(session.account_id);
        await sessions.refuse({ id, name }, { method: 'sso', ended: true });
        return false;
      }
    },

    /** Where the browser signs out at the provider; undefined where the provider offers nothing for it. */
    async signOutUrl({ id_token: idToken }: Session): Promise<string | undefined> {
      const config = await provider().catch(() => undefined);
      if (config?.serverMetadata().end_session_endpoint === undefined) return undefined;
      const back = { post_logout_redirect_uri: new URL('/', settings.publicUrl).href };
      return oidc.buildEndSessionUrl(config, { ...back, ...(idToken === null ? {} : { id_token_hint: idToken }) }).href;
    },
  };
}

function readJourney(kept: string): Journey {
  try {
    return JSON.parse(Buffer.from(kept, 'base64url').toString()) as Journey;
  } catch (cause) {
    throw new AppError('sso-refused', {}, { cause });
  }
}

/** A path of this service; anything else becomes the start. Browsers read a backslash as a slash. */
export function ownPath(text: string): string {
  const base = 'http://kensa.invalid';
  if (!/^\/(?![/\\])[^\\\s]*$/.test(text) || !URL.canParse(text, base)) return '/';
  const url = new URL(text, base);
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
