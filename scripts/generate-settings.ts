import { readFileSync, writeFileSync } from 'node:fs';
import { describeSettings } from '../src/config.ts';

const file = new URL('../docs/operations.md', import.meta.url);

/** The settings table of docs/operations.md, from the schema that reads them. */
export function withSettingsTable(text: string): string {
  const rows = describeSettings().map(
    ({ name, default: value, description }) => `| \`${name}\` | ${value && `\`${value}\``} | ${description} |`,
  );
  const table = ['| Name | Default | What |', '|---|---|---|', ...rows].join('\n');
  return text.replace(/(<!-- settings:begin -->\n)[\s\S]*?(<!-- settings:end -->)/, `$1${table}\n$2`);
}

if (process.argv[1] === file.pathname.replace('docs/operations.md', 'scripts/generate-settings.ts')) {
  writeFileSync(file, withSettingsTable(readFileSync(file, 'utf8')));
}
