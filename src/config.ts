import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import Type, { type Static, type TSchema, type TStringOptions } from 'typebox';
import { Value } from 'typebox/value';
import { isLongAndRandom } from './generated-secret.ts';
import { render } from './messages/message.ts';
import { pinRoles, type Role } from './roles.ts';
import { describeSchemaErrors } from './vision/schema-problems.ts';

const Text = (description: string, options: TStringOptions = { minLength: 1 }) =>
  Type.Optional(Type.String({ ...options, description }));
const Whole = (minimum: number, maximum: number, preset: number, description: string) =>
  Type.Integer({ minimum, maximum, default: preset, description });

/** Every setting by its environment variable. Values arrive as text and are converted by `Value.Convert`. */
const settingsSchema = Type.Object(
  {
    PORT: Whole(0, 65535, 8080, 'TCP port; 0 takes a free one'),
    HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'address to listen on' }),
    KENSA_DATA_DIR: Type.String({ minLength: 1, default: './data', description: 'folder of database, images, models' }),
    KENSA_CLIENT_ID: Text('id of the first client', { minLength: 1, maxLength: 200 }),
    KENSA_CLIENT_SECRET: Text('secret of the first client, 8 or more characters; 32 or more random ones are better', {
      minLength: 8,
      maxLength: 500,
    }),
    KENSA_PUBLIC_URL: Text('address under which clients reach the service; image URLs start with it', {
      pattern: '^https?://[^\\s]+$',
      examples: ['https://kensa.plant.example'],
    }),
    KENSA_WORKERS: Whole(
      0,
      256,
      availableParallelism(),
      'compute processes for predictions; 0, with DATABASE_URL: leave predictions and trainings to kensa worker',
    ),
    KENSA_QUEUE_LIMIT: Whole(1, 10_000_000, 1000, 'waiting predictions before 425'),
    KENSA_TOKEN_SECONDS: Whole(60, 86_400, 3600, 'lifetime of an access token'),
    KENSA_LOGIN_ATTEMPTS: Whole(1, 100_000, 20, 'wrong attempts to sign in or to get a token, a minute and address'),
    KENSA_SESSION_HOURS: Whole(1, 720, 12, 'hours until a person signs in again on the page'),
    KENSA_TRUSTED_PROXIES: Text(
      'proxies before the service, for example "loopback, 10.0.0.0/8": the address of a client is then the one that they pass on in X-Forwarded-For',
    ),
    KENSA_PIN_ROLE: Type.Enum([...pinRoles], {
      type: 'string',
      default: 'inspector',
      description: 'highest role that a PIN opens on a shared terminal; none: PINs are off',
    }),
    KENSA_SSO_ISSUER: Text('OpenID Connect: address of the provider, with KENSA_PUBLIC_URL; set: single sign-on', {
      pattern: '^https?://[^\\s]+$',
      examples: ['https://login.plant.example'],
    }),
    KENSA_SSO_CLIENT_ID: Text('id of this service at the provider'),
    KENSA_SSO_CLIENT_SECRET: Text('secret of this service at the provider'),
    KENSA_SSO_NAME: Type.String({ minLength: 1, maxLength: 50, default: 'SSO', description: 'what its button says' }),
    KENSA_SSO_ROLE_CLAIM: Type.String({
      minLength: 1,
      maxLength: 100,
      default: 'roles',
      description: 'claim of the ID token that says what a person may do',
    }),
    KENSA_SSO_ROLES: Text('role by value of that claim; a person without any is refused', {
      pattern:
        '^\\s*[^=,]+=\\s*(viewer|inspector|engineer|admin)\\s*(,\\s*[^=,]+=\\s*(viewer|inspector|engineer|admin)\\s*)*$',
      examples: ['kensa-admins=admin, quality=engineer'],
    }),
    KENSA_UPLOAD_MEMORY_MB: Whole(
      64,
      1_000_000,
      256,
      'memory for uploaded files, of all requests together; more wait their turn, and get 503 after 20 s',
    ),
    KENSA_LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      default: 'info',
      description: 'least severe level that is logged',
    }),
    KENSA_CALLBACK_NETWORKS: Type.Enum(['private', 'public'], {
      default: 'private',
      description: 'private: callbacks may go to private and loopback addresses; public: they may not',
    }),
    KENSA_FTP_PORT: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 65535, description: 'port for cameras that speak FTP; not set: FTP is off' }),
    ),
    KENSA_FTP_HOST: Text('address to listen on for FTP; not set: HOST'),
    KENSA_FTP_PASSIVE_PORTS: Type.String({
      pattern: '^\\d{1,5}-\\d{1,5}$',
      default: '50000-50099',
      description: 'ports for data connections of FTP',
      examples: ['50000-50099'],
    }),
    KENSA_FTP_ADDRESS: Text('IPv4 address that FTP clients are told, where it is not the one that they connect to', {
      pattern: '^\\d{1,3}(\\.\\d{1,3}){3}$',
      examples: ['192.168.1.10'],
    }),
    KENSA_FTP_CERTIFICATE: Text('PEM file of the certificate for FTP with TLS; not set: FTP without TLS only'),
    KENSA_FTP_KEY: Text('PEM file of its key'),
    KENSA_FTP_TLS: Type.Enum(['optional', 'required'], {
      default: 'optional',
      description: 'required: FTP clients that do not encrypt are refused',
    }),
    KENSA_FOLDER_ROOTS: Text(
      'folders, separated by commas, below which stations may watch folders, for example "/mnt/cameras"; not set: they may not',
    ),
    KENSA_MODBUS_PORT: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        description: 'TCP port of the Modbus server; absent: Kensa serves no Modbus',
      }),
    ),
    KENSA_MODBUS_HOST: Type.String({
      minLength: 1,
      default: '127.0.0.1',
      description: 'address that the Modbus server listens on; Modbus knows no passwords',
    }),
    KENSA_MQTT_URL: Text('MQTT 5 broker; absent: Kensa publishes nothing', {
      pattern: '^mqtts?://[^\\s/@]+/?$',
      examples: ['mqtts://broker.plant.example:8883'],
    }),
    KENSA_MQTT_USER: Text('user name at the broker'),
    KENSA_MQTT_PASSWORD: Text('password of that user'),
    KENSA_MQTT_CERTIFICATE: Text('PEM file: certificate that this service shows the broker'),
    KENSA_MQTT_KEY: Text('PEM file: key of that certificate'),
    KENSA_MQTT_CA: Text("PEM file: certificate of the authority that signed the broker's"),
    BACKBONES_DIR: Text("folder of the user's own ONNX networks"),
    DATABASE_URL: Text('PostgreSQL instead of the embedded database', {
      pattern: '^postgres(ql)?://',
      examples: ['postgresql://user:password@host/database'],
    }),
    BLOB_URL: Text('S3 bucket instead of the data folder', {
      pattern: '^s3(\\+http|\\+https)?://',
      examples: ['s3://bucket/prefix'],
    }),
    AWS_ACCESS_KEY_ID: Text('key for BLOB_URL, where it holds none'),
    AWS_SECRET_ACCESS_KEY: Text('secret of that key'),
    AWS_SESSION_TOKEN: Text('token of that key, where it is a temporary one'),
    LICENSE_PUBLIC_KEY: Text("vendor's Ed25519 public key (base64url); set: a license is required"),
  },
  { additionalProperties: false },
);

export type Config = Readonly<Static<typeof settingsSchema>>;

export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Without this, ONNX Runtime reports its use to its maker and keeps the reports on the disk. */
export const quietRuntime = { ORT_DISABLE_TELEMETRY: '1' } as const;

/** Call it before this process opens its first network. */
export function quietenRuntime(): void {
  Object.assign(process.env, quietRuntime);
}

/** Addresses and CIDR ranges of KENSA_TRUSTED_PROXIES; `loopback` stands for those of this machine. */
export function trustedProxies({ KENSA_TRUSTED_PROXIES: text = '' }: Pick<Config, 'KENSA_TRUSTED_PROXIES'>): string[] {
  return text
    .split(',')
    .map((proxy) => proxy.trim())
    .filter((proxy) => proxy !== '');
}

/** Folders of KENSA_FOLDER_ROOTS. */
export function folderRoots({ KENSA_FOLDER_ROOTS: text = '' }: Pick<Config, 'KENSA_FOLDER_ROOTS'>): string[] {
  return text
    .split(',')
    .map((root) => root.trim())
    .filter((root) => root !== '');
}

/** The settings of single sign-on; undefined without any. */
export function singleSignOnSettings(config: Config) {
  const { KENSA_SSO_ISSUER: issuer, KENSA_SSO_CLIENT_ID: clientId, KENSA_SSO_CLIENT_SECRET: clientSecret } = config;
  const { KENSA_PUBLIC_URL: publicUrl, KENSA_SSO_ROLES: mapping } = config;
  if (!issuer || !clientId || !clientSecret || !publicUrl || !mapping) return undefined;
  const pairs = mapping.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  return {
    issuer,
    clientId,
    clientSecret,
    publicUrl,
    name: config.KENSA_SSO_NAME,
    roleClaim: config.KENSA_SSO_ROLE_CLAIM,
    roles: Object.fromEntries(pairs) as Record<string, Role>,
  };
}

const isProxy = (text: string): boolean =>
  text === 'loopback' ||
  ipaddr.IPv4.isValidFourPartDecimal(text) ||
  ipaddr.IPv4.isValidCIDRFourPartDecimal(text) ||
  ipaddr.IPv6.isValid(text) ||
  ipaddr.IPv6.isValidCIDR(text);

/** A sentence for each variable whose name begins with KENSA_ but is not a setting. */
function findUnknownSettings(environment: NodeJS.ProcessEnv = process.env): string[] {
  const known = [...Object.keys(settingsSchema.properties), 'KENSA_CONFIG'];
  return Object.keys(environment)
    .filter((name) => name.startsWith('KENSA_') && !known.includes(name))
    .map((name) => {
      const [nearest] = known
        .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
        .sort((one, other) => one.distance - other.distance);
      const isNear = nearest !== undefined && nearest.distance <= 3;
      const advice = isNear ? `Did you mean ${nearest.candidate}?` : 'Remove it, or check its spelling.';
      return `${name} is not a setting and has no effect. ${advice}`;
    });
}

/** A sentence for each setting that the service starts with and that its operator should know about. */
export function findDoubtfulSettings(config: Config, environment?: NodeJS.ProcessEnv): string[] {
  const { KENSA_CLIENT_SECRET: secret } = config;
  const guessable =
    'KENSA_CLIENT_SECRET is short or not random: somebody at the address of its client who knows its id can keep it out ' +
    'by guessing. Set 32 or more random characters, as "openssl rand -hex 32" prints.';
  const isGuessable = secret !== undefined && !isLongAndRandom(secret);
  return [...findUnknownSettings(environment), ...(isGuessable ? [guessable] : [])];
}

/** How many letters must be added, removed or replaced to turn one word into the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** The broker of the settings. @throws ConfigError naming a file that cannot be read. */
export function brokerSettings(config: Config) {
  const { KENSA_MQTT_URL: url, KENSA_MQTT_USER: user, KENSA_MQTT_PASSWORD: password } = config;
  if (url === undefined) return undefined;
  const read = (name: 'KENSA_MQTT_CERTIFICATE' | 'KENSA_MQTT_KEY' | 'KENSA_MQTT_CA'): Buffer | undefined => {
    const path = config[name];
    try {
      return path === undefined ? undefined : readFileSync(path);
    } catch (error) {
      throw new ConfigError(`${name}: the file cannot be read (${(error as Error).message}).`);
    }
  };
  const [certificate, key] = [read('KENSA_MQTT_CERTIFICATE'), read('KENSA_MQTT_KEY')];
  return { url, user, password, certificate, key, authority: read('KENSA_MQTT_CA') };
}

/** Rows for `docs/operations.md` and for `kensa doctor`. */
export function describeSettings(): { name: string; default: string; description: string }[] {
  return Object.entries(settingsSchema.properties).map(([name, schema]) => {
    const annotated = schema as { default?: unknown; description?: string };
    const shown = name === 'KENSA_WORKERS' ? 'number of cores' : String(annotated.default ?? '');
    return { name, default: shown, description: annotated.description ?? '' };
  });
}

function readSettingsFile(path: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
    throw new Error('it must hold one JSON object of settings');
  } catch (error) {
    throw new ConfigError(`The settings file ${path} cannot be used: ${(error as Error).message}`);
  }
}

/**
 * Reads settings from the environment over those of the file named by `KENSA_CONFIG`.
 * @throws ConfigError that names every wrong setting at once.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const names = Object.keys(settingsSchema.properties);
  const file = environment['KENSA_CONFIG'] ? readSettingsFile(environment['KENSA_CONFIG']) : {};
  const problems = Object.keys(file)
    .filter((name) => !names.includes(name))
    .map((name) => `${name} in the settings file is not a setting. Remove it, or check its spelling.`);
  const given: Record<string, unknown> = {};
  for (const name of names) {
    const value = environment[name] ?? file[name];
    if (value !== undefined && value !== '') given[name] = value;
  }
  const settings = Value.Default(settingsSchema, Value.Convert(settingsSchema, given)) as Record<string, unknown>;
  for (const [name, schema] of Object.entries(settingsSchema.properties)) {
    if (settings[name] === undefined || Value.Check(schema as TSchema, settings[name])) continue;
    problems.push(`${name}: ${describeProblem(name, schema as TSchema, settings[name])}`);
  }
  if ((settings['KENSA_CLIENT_ID'] === undefined) !== (settings['KENSA_CLIENT_SECRET'] === undefined)) {
    problems.push('KENSA_CLIENT_ID and KENSA_CLIENT_SECRET belong together: set both, or neither.');
  }
  if ((settings['KENSA_MQTT_CERTIFICATE'] === undefined) !== (settings['KENSA_MQTT_KEY'] === undefined)) {
    problems.push('KENSA_MQTT_CERTIFICATE and KENSA_MQTT_KEY belong together: set both, or neither.');
  }
  const sso = ['KENSA_SSO_ISSUER', 'KENSA_SSO_CLIENT_ID', 'KENSA_SSO_CLIENT_SECRET', 'KENSA_SSO_ROLES'];
  const missing = [...sso, 'KENSA_PUBLIC_URL'].filter((name) => settings[name] === undefined);
  if (sso.some((name) => settings[name] !== undefined) && missing.length > 0) {
    problems.push(`Single sign-on also needs ${missing.join(', ')}.`);
  }
  if (settings['KENSA_WORKERS'] === 0 && settings['DATABASE_URL'] === undefined) {
    problems.push('KENSA_WORKERS: 0 leaves the work to others, which needs DATABASE_URL. Set 1 or more.');
  }
  const { KENSA_TRUSTED_PROXIES: proxies } = settings;
  for (const proxy of typeof proxies === 'string' ? trustedProxies({ KENSA_TRUSTED_PROXIES: proxies }) : []) {
    if (isProxy(proxy)) continue;
    const advice = 'Write addresses and ranges, for example 192.168.1.10, 10.0.0.0/8 or loopback.';
    problems.push(`KENSA_TRUSTED_PROXIES: ${JSON.stringify(proxy)} is neither an IP address nor a range. ${advice}`);
  }
  const [firstPort = 0, lastPort = 0] = String(settings['KENSA_FTP_PASSIVE_PORTS']).split('-').map(Number);
  if (firstPort < 1 || lastPort > 65_535 || firstPort > lastPort)
    problems.push(
      `KENSA_FTP_PASSIVE_PORTS: ${JSON.stringify(settings['KENSA_FTP_PASSIVE_PORTS'])} is no range of ports such as 50000-50099.`,
    );
  const { KENSA_FTP_CERTIFICATE: certificate, KENSA_FTP_KEY: key, KENSA_FTP_TLS: tls } = settings;
  if ((certificate === undefined) !== (key === undefined))
    problems.push('KENSA_FTP_CERTIFICATE and KENSA_FTP_KEY belong together: set both, or neither.');
  if (tls === 'required' && certificate === undefined)
    problems.push('KENSA_FTP_TLS: "required" needs KENSA_FTP_CERTIFICATE and KENSA_FTP_KEY. Set both.');
  const { KENSA_FOLDER_ROOTS: roots } = settings;
  for (const root of typeof roots === 'string' ? folderRoots({ KENSA_FOLDER_ROOTS: roots }) : []) {
    if (root.startsWith('/')) continue;
    problems.push(`KENSA_FOLDER_ROOTS: ${JSON.stringify(root)} is not an absolute path such as /mnt/cameras.`);
  }
  if (problems.length > 0)
    throw new ConfigError(`Kensa cannot start with these settings:\n  - ${problems.join('\n  - ')}`);
  return Object.freeze({ ...(settings as Config), KENSA_DATA_DIR: resolve(settings['KENSA_DATA_DIR'] as string) });
}

function describeProblem(name: string, schema: TSchema, value: unknown): string {
  const { description, examples } = schema as { description?: string; examples?: readonly string[] };
  const shown = /SECRET|KEY|URL|PASSWORD/.test(name) ? '…' : value;
  if (examples) return `must have the form ${examples[0]}, received ${JSON.stringify(shown)} (${description}).`;
  const errors = Value.Errors(schema, value).map((error) => ({ ...error, data: shown }));
  const problems = describeSchemaErrors(errors).map(({ problem }) => render(problem, 'en'));
  return `${problems.join(' ')} (${description})`;
}
