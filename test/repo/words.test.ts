import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;

interface Rule {
  readonly word: RegExp;
  readonly better: string;
  /** Only these files; absent: all. */
  readonly where?: RegExp;
}

/** Words that need decoding, and the field's terms for them. */
const rules: readonly Rule[] = [
  { word: /\bleft[ -]out\b|leftOut|LeftOut/, better: 'leave-one-out, dropped, omitted' },
  { word: /\bodd\b(?! number)|\boddness\b|[oO]ddImages|odd-images/, better: 'outlier, unusual' },
  { word: /\b[tT]urned (cop|one)|turnedCop|learnsTurned/, better: 'rotated copies, rotation augmentation' },
  { word: /rough[ -]?choice|candidate search|search by candidates/i, better: 'approximate search, shortlist' },
  { word: /\b[tT]aught\b|Taught|\b[tT]each(es|ing|able)?\b/, better: 'corrected, refined, corrections' },
  { word: /\bspots\b|Spots/, better: 'corrections' },
  {
    word: /judge|judging/i,
    better: 'infer, score, decide (a person judges)',
    where: /^(src\/(vision|jobs|cli|demo)|bench|tools|scripts)\//,
  },
  { word: /\bquestions?\b|[a-z]Questions?\b|question[A-Z]/, better: 'cache key, query, request' },
  { word: /\bbegun\b|begunEarly/, better: 'started' },
  { word: /\bstretches\b/, better: 'buckets, ranges' },
  { word: /\bfacets?\b|Facets?\b/, better: 'filters' },
  { word: /\b[lL]anes?\b|[a-z]Lanes?\b/, better: 'queue' },
  { word: /\b[eE]ndings?\b|[a-z]Endings?\b/, better: 'completion, extension (of a file name)' },
  { word: /\bworks ahead\b|worksAhead/, better: 'prefetch' },
  { word: /kept[ -]?grid|score[ -]?layer/i, better: 'feature map (f16), anomaly map' },
  { word: /\b[gG]uards?\b|[a-z]Guard\b/, better: 'outlier scorer, check' },
  { word: /\bphotos?\b|[pP]hotos?[A-Z_-]|[a-z]Photos?\b/, better: 'image' },
  {
    word: /\bwhoever\b|\bof which\b|\bwhat there is\b|\b(is|are) none\b/,
    better: 'say who does what, in the active voice',
  },
];

/** Words of the public interface and of stored formats, which stay. */
const kept = /nothing-to-teach|Nothing to teach|cannot_teach|taught_item_ids|left_out|photograph\w*/g;

/** Files in which a stored format or a true meaning carries the old word. */
const allowed: readonly (readonly [file: RegExp, word: RegExp])[] = [
  [/^src\/vision\/corrections\/correction-patches/, /taught/],
  [/^(src\/storage\/(database|migrations\/)|src\/jobs\/engines\/job-rows|test\/api\/clean-up)/, /lane|facet/],
  [/^test\/storage\/upgrade/, /score-layer/],
  [/^test\/repo\/docs-prose/, /question/],
  // The teacher and the student of a distillation.
  [/^tools\/backbone\//, /teach|taught/i],
  // A code and a title of the interface.
  [/^src\/(errors|messages\/[\w-]+)\.ts$/, /nothing-to-teach|teach/i],
  // Parts of a multipart form.
  [/^src\/http\//, /parts/],
];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^(src|web\/src|bench|scripts|tools|test|docs|assets|deploy)\/|^[A-Z]+\.md$/.test(file))
  .filter((file) => /\.(tsx?|mjs|py|md|css)$/.test(file) && existsSync(join(root, file)))
  // What is generated, measured or given to us, and this list itself.
  .filter((file) => !/generated\/|^bench\/results\/|^test\/contract\/interface\/|words\.test\.ts$/.test(file));

/** Complaints about a file, each with its line and the better word. */
function complaintsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  // Released versions keep the words they had.
  const current = file === 'CHANGELOG.md' ? text.split(/^## /m).slice(0, 2).join('') : text;
  const own = rules.filter(({ where }) => where?.test(file) ?? true);
  const exceptions = allowed.filter(([where]) => where.test(file)).map(([, word]) => word);
  return current.split('\n').flatMap((line, index) =>
    own.flatMap(({ word, better }) => {
      const [found] = word.exec(line.replace(kept, '')) ?? [];
      if (found === undefined || exceptions.some((exception) => exception.test(found))) return [];
      return [`${file}:${index + 1}: write "${better}" instead of "${found}"`];
    }),
  );
}

it('no word needs decoding', () => {
  expect(files.flatMap(complaintsOf)).toEqual([]);
});
