import type { Pool } from 'pg';
import { ConfigError } from '../config.ts';

const connectSeconds = 10;

/**
 * A pool of connections to the PostgreSQL server of DATABASE_URL, tried with one connection.
 * @throws ConfigError that says in words why the URL cannot be used, without its password.
 */
export async function connectPostgres(url: string, onError: (error: Error) => void): Promise<Pool> {
  if (!URL.canParse(url)) {
    throw new ConfigError('DATABASE_URL: it is not a URL. Write it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE.');
  }
  // Not loaded where it is not used: a start waits for every module.
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    connectionTimeoutMillis: connectSeconds * 1000,
    // A process that is cut off in the middle of a transaction keeps its rows from the others for less than a job's lease.
    // No transaction of ours waits for anything but the database between two statements.
    idle_in_transaction_session_timeout: 12_000,
    // Compiling a query takes a quarter of a second where its cost is overrated; none of ours runs long enough to win that back.
    options: '-c jit=off',
  });
  // A connection that breaks fails the query on it and is replaced at the next; unheard, it would end the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  try {
    (await pool.connect()).release();
    return pool;
  } catch (cause) {
    await pool.end();
    throw new ConfigError(`DATABASE_URL: ${describeRefusal(cause as Error & { code?: string }, new URL(url))}`, {
      cause,
    });
  }
}

function describeRefusal({ code = '', message }: Error & { code?: string }, url: URL): string {
  const host = url.searchParams.get('host') ?? url.hostname;
  const server = `${host}:${url.port || 5432}`;
  const user = decodeURIComponent(url.username);
  const database = decodeURIComponent(url.pathname.slice(1)) || user;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `the host ${host} is unknown. Check its name, and the name server of this machine.`;
  }
  if (code === 'ECONNREFUSED' || code === 'ENOENT') {
    return `nothing listens at ${server}. Start PostgreSQL there, or mend host and port.`;
  }
  if (code === '28P01' || code === '28000' || message.startsWith('SASL:')) {
    return `PostgreSQL at ${server} refuses the user "${user}" with this password. Mend user and password.`;
  }
  if (code === '3D000') {
    return `PostgreSQL at ${server} answers, but there is no database "${database}". Create it, or mend the name.`;
  }
  if (message.includes('timeout') || code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') {
    return `no PostgreSQL answers at ${server} within ${connectSeconds} s. Check host, port, network and firewall.`;
  }
  if (message.startsWith('Connection terminated')) {
    return `what answers at ${server} is not PostgreSQL. Mend host and port.`;
  }
  return `PostgreSQL at ${server} cannot be used: ${message}.`;
}
