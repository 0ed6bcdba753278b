import type { Exchange } from './api-walkthrough.ts';

/** The part of `docs/api.md` that shows each operation with a request and an answer. */
export function renderExamples(exchanges: readonly Exchange[], served: Record<string, unknown>): string {
  const steady = steadier();
  // Of an operation that was asked several times, the last answer is the most telling.
  const last = new Map(exchanges.map((one) => [`${one.method} ${one.template}`, one]));
  const paths = served['paths'] as Record<string, Record<string, { summary?: string; tags?: string[] }>>;
  const sections = new Map<string, string[]>();
  for (const [key, exchange] of last) {
    const operation = paths[exchange.template]?.[exchange.method.toLowerCase()];
    const tag = operation?.tags?.[0] ?? 'Other';
    const text = renderExchange(key, operation?.summary, exchange, steady);
    sections.set(tag, [...(sections.get(tag) ?? []), text]);
  }
  return [...sections].map(([tag, texts]) => `### ${tag}\n\n${texts.join('\n')}`).join('\n');
}

function renderExchange(key: string, summary: string | undefined, exchange: Exchange, steady: Steady): string {
  const { sent, answer, method, path } = exchange;
  const form = Object(sent).form as object | undefined;
  const body = sent === undefined ? '' : `\n${JSON.stringify(steady(form ?? sent))}`;
  const note = form ? ' (multipart/form-data)' : '';
  const request = `${method} ${String(steady(path))}${note}${body}`;
  return [
    `**\`${key}\`**${summary ? ` – ${summary}` : ''}`,
    '',
    '```',
    `→ ${request}`,
    `← ${answer.status} ${renderAnswer(answer, steady)}`.trimEnd(),
    '```',
    '',
  ].join('\n');
}

function renderAnswer({ headers, body, bytes }: Exchange['answer'], steady: Steady): string {
  const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
  // What follows the path is another text each time.
  if (headers['location'] !== undefined)
    return `Location: ${steady(String(headers['location']).replace(/\?.*/, '?…'))}`;
  if (type === 'application/json') return JSON.stringify(steady(body), null, 1).replace(/\n\s*/g, ' ');
  if (type === 'text/event-stream') return `${type}\nevent: end\ndata: {…the model…}`;
  const disposition = String(headers['content-disposition'] ?? '');
  if (disposition.includes('.csv')) return `${type}\n${bytes.toString('utf8').split('\r\n', 1)[0]}\n…`;
  return type === '' ? '' : `${type} (${disposition || 'a file'})`;
}

type Steady = (value: unknown, key?: string) => unknown;

/** What is another number or another id at every run becomes the same; long lists are cut after their first entry. */
function steadier(): Steady {
  const ids = new Map<string, string>();
  const steadyId = (id: string): string => {
    const known = ids.get(id) ?? `0199aaaa-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  const text = (value: string): string =>
    value
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, steadyId)
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJ…')
      .replace(/whsec_[\w+/=]+/g, 'whsec_…')
      .replace(/[0-9a-f]{64}/g, '3fb1…')
      .replace(/expires=\d+&signature=[\w-]+/g, 'expires=1795233600&signature=…')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-21T09:30:00.000Z')
      .replace(/http:\/\/kensa\.test/g, '')
      .replace(/127\.0\.0\.1:\d+/g, 'plc.local:8080')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '9b1c…')
      .replace(/(^|\/)[0-9a-f]{12}$/, '$1a5ad2166a411')
      .replace(/^[\w-]{32}$/, 'kJ5…')
      .replace(/camera-\d{8}T\d{9}Z/g, 'camera-20261121T093000000Z')
      .replace(/^0\.\d{6}$/, '0.231874')
      .replace(/^Ready\..*$/, 'Ready.');
  const steady: Steady = (value, key = '') => {
    if (typeof value === 'string') return words[key] ?? text(value);
    if (typeof value === 'number') return steadyNumber(value, key);
    if (Array.isArray(value)) {
      const [first, ...more] = value;
      return value.length === 0 ? [] : [steady(first), ...(more.length > 0 ? ['…'] : [])];
    }
    if (typeof value !== 'object' || value === null) return value;
    if (key === 'schema') return '{…}';
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, steady(one, name)]));
  };
  return steady;
}

const exact =
  /^(threshold|ignore_outer|min_detected_area|label|x_min|x_max|y_min|y_max|width|height|count|count_per_page|current_page|end_page|status|attempts|context_id|target_id|expires_in|algorithm_parameter_id|ok_img_count|ng_img_count|last_status)$/;

/** What the machine says of itself. */
const words: Readonly<Record<string, string>> = {
  node_version: 'v20.20.2',
  platform: 'linux x64',
  user: 'kensa-k7f3q9',
  password: '…',
};

function steadyNumber(value: number, key: string): number {
  if (exact.test(key)) return value;
  if (/^(waiting|running|failed)$/.test(key)) return 0;
  if (/(_ms|_mb|_time|seconds)$/.test(key)) return 1;
  return value === 0 ? 0 : 1;
}
