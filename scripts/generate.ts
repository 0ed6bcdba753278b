import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { pino } from 'pino';
import { composeKensa } from '../src/composition.ts';
import { loadConfig } from '../src/config.ts';
import { errorStatuses } from '../src/errors.ts';
import { catalogues, type Language } from '../src/messages/message.ts';
import { readVersion } from '../src/package-path.ts';
import { migrate } from '../src/storage/migrate.ts';
import { openStorage } from '../src/storage/open-storage.ts';
import { steps } from '../src/vision/preprocess/steps.ts';
import { fillFields, fillRoles, fillSettings } from './fill-docs.ts';

export type OpenApiDocument = Parameters<typeof openapiTS>[0] & object;

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Every committed file that is made from the code, in part at least, by its path. */
export async function generateFiles(): Promise<Map<string, string>> {
  const document = await readOpenApi();
  return new Map([
    ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['src/client/generated/openapi.ts', await clientTypes(document)],
    ['docs/errors.md', errorsPage()],
    ['docs/operations.md', fillSettings(read('docs/operations.md'))],
    ['docs/roles.md', fillRoles(read('docs/roles.md'), (document as { paths: Parameters<typeof fillRoles>[1] }).paths)],
    ['docs/preprocessing.md', steps.reduce(fillFields, read('docs/preprocessing.md'))],
  ]);
}

/** The document that the service serves, asked from a service that never listens. */
async function readOpenApi(): Promise<OpenApiDocument> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kensa-generate-'));
  const config = loadConfig({ KENSA_DATA_DIR: dataDir, KENSA_LOG_LEVEL: 'silent', KENSA_WORKERS: '1' });
  const storage = openStorage(config);
  try {
    await migrate(storage.db);
    const kensa = await composeKensa({ config, storage, log: pino({ level: 'silent' }), version: readVersion() });
    const answer = await kensa.app.inject({ url: '/openapi.json' });
    await kensa.stop({ graceMs: 0 });
    return answer.json();
  } finally {
    await storage.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function clientTypes(document: OpenApiDocument): Promise<string> {
  const types = astToString(await openapiTS(document, { alphabetize: true }));
  return `// Made from docs/openapi.json by "npm run generate"; changes here are lost.\n${types}`;
}

function errorsPage(): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const rows = Object.entries(errorStatuses).map(([code, status]) => {
    const title = (language: Language) => cell(catalogues[language].texts[`${code}.title`] ?? '');
    return `| \`${code}\` | ${status} | ${title('en')} | ${title('ja')} | ${cell(catalogues.en.texts[code] ?? '')} |`;
  });
  return `# Errors

Made from \`src/errors.ts\` and \`src/messages\` by \`npm run generate\`, which overwrites changes here.

Every error has the body \`{"errors": {"message", "status", "detail", "source": {"pointer"}, "title"}}\`. \`title\` is
stable for each kind and safe to compare with. \`message\` has one entry for each bad field. With \`Accept-Language: ja\`,
all texts are Japanese. The extensions \`code\` and \`values\` are the same in every language: programs read these.

| Code | Status | Title | Title (ja) | Detail |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, content] of await generateFiles()) {
    if (read(path) === content) continue;
    writeFileSync(new URL(path, root), content);
    console.log(`wrote ${path}`);
  }
}
