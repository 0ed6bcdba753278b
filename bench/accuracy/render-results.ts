import { ANOMALY, BOX_SET, GOOD_SETS, SUPERVISED } from './plan-rows.ts';
import type { MeasuredRow } from './results-file.ts';

const SETS: readonly string[] = [...GOOD_SETS, BOX_SET];
const ALGORITHMS: readonly string[] = [...ANOMALY, ...SUPERVISED];
const QUIET_LOAD = 0.25;
const OURS = ['kensa', 'kensa-int8'];
/** The network that ours are compared with, and the input size of its training. */
const [RIVAL, RIVAL_SIZE] = ['resnet50v2_layers123', 256];

const decimals = (value: number | null | undefined, digits = 4): string =>
  value === null || value === undefined ? '–' : value.toFixed(digits);

function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [header, header.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const milliseconds = ({ report, load }: MeasuredRow): string =>
  `${load > QUIET_LOAD ? '~' : ''}${decimals(report.ms_per_image.p50, 0)} / ${decimals(report.ms_per_image.p95, 0)}`;

function fullTable(rows: readonly MeasuredRow[]): string {
  const header = ['set', 'algorithm', 'network', 'train', 'image AUROC', 'image AP', 'pixel AUROC', 'PRO', 'F1 max'];
  const more = ['mAP 0.33', 'false alarms', 'escapes', 'train s', 'ms p50 / p95', 'peak RSS MB', 'model MB', 'date'];
  const cells = rows.map((measured) => {
    const { row, report, date, load } = measured;
    const { image_auroc, image_ap, pixel_auroc, pixel_pro, f1_max, map_iou33, at_threshold } = report;
    return [
      ...[row.set, row.algorithm, row.backbone, report.train_images],
      ...[image_auroc, image_ap, pixel_auroc, pixel_pro, f1_max, map_iou33].map((figure) => decimals(figure)),
      ...[`${at_threshold.false_alarms}/${report.test_good}`, `${at_threshold.escapes}/${report.test_defect}`],
      ...[`${load > QUIET_LOAD ? '~' : ''}${decimals(report.train_seconds, 1)}`, milliseconds(measured)],
      ...[decimals(report.peak_rss_mb, 0), decimals(report.model_mb, 1), date],
    ];
  });
  return table([...header, ...more], cells);
}

/** Mean image AUROC of the seeds, and the lowest and highest where there are several. */
function overSeeds(rows: readonly MeasuredRow[]): string {
  const aurocs = rows.map(({ report }) => report.image_auroc ?? 0);
  const mean = aurocs.reduce((sum, auroc) => sum + auroc, 0) / aurocs.length;
  if (aurocs.length === 1) return decimals(mean);
  return `${decimals(mean)} (${decimals(Math.min(...aurocs))} to ${decimals(Math.max(...aurocs))}, ${aurocs.length} seeds)`;
}

/** Means over all sets with good and defective folders. Defaults are chosen by them. */
function means(rows: readonly MeasuredRow[]): string {
  const cells = ANOMALY.flatMap((algorithm) =>
    [...new Set(rows.map(({ row }) => row.backbone))].sort().flatMap((backbone) => {
      const own = rows.filter(({ row }) => row.algorithm === algorithm && row.backbone === backbone);
      const reports = own.filter(({ row }) => row.set !== BOX_SET).map(({ report }) => report);
      if (reports.length === 0) return [];
      const mean = (figure: 'image_auroc' | 'image_ap' | 'pixel_auroc' | 'pixel_pro'): string => {
        const values = reports.flatMap((report) => report[figure] ?? []);
        return decimals(values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null);
      };
      const sum = (count: (report: (typeof reports)[number]) => number): number =>
        reports.reduce((total, report) => total + count(report), 0);
      const alarms = `${sum((report) => report.at_threshold.false_alarms)}/${sum((report) => report.test_good)}`;
      const escapes = `${sum((report) => report.at_threshold.escapes)}/${sum((report) => report.test_defect)}`;
      const figures = [mean('image_auroc'), mean('image_ap'), mean('pixel_auroc'), mean('pixel_pro')];
      return [[algorithm, backbone, `${reports.length} of ${GOOD_SETS.length}`, ...figures, alarms, escapes]];
    }),
  );
  const header = ['algorithm', 'network', 'sets', 'image AUROC', 'image AP', 'pixel AUROC', 'PRO'];
  return table([...header, 'false alarms', 'escapes'], cells);
}

/** PatchCore at its defaults with our networks beside the same PatchCore with the large public one at its own size. */
function comparison(rows: readonly MeasuredRow[]): string {
  const findAll = (set: string, backbone: string) =>
    rows.filter(
      ({ row }) =>
        row.set === set &&
        row.algorithm === 'patchcore' &&
        row.backbone === backbone &&
        row.imageSize === (backbone === RIVAL ? RIVAL_SIZE : undefined),
    );
  const find = (set: string, backbone: string) => findAll(set, backbone).find(({ row }) => row.seed === undefined);
  const cells = GOOD_SETS.flatMap((set) =>
    OURS.flatMap((network) => {
      const [ours, rival] = [find(set, network), find(set, RIVAL)];
      if (!ours || !rival) return [];
      // Times that were measured beside other work cannot be compared.
      const quiet = Math.max(ours.load, rival.load) <= QUIET_LOAD;
      const ratio = quiet ? (rival.report.ms_per_image.p50 / ours.report.ms_per_image.p50).toFixed(1) : '–';
      const escapes = ({ report }: MeasuredRow): string => `${report.at_threshold.escapes}/${report.test_defect}`;
      const figures = [network, RIVAL].map((name) => overSeeds(findAll(set, name)));
      const times = [milliseconds(ours), milliseconds(rival), ratio];
      return [[set, network, ...figures, escapes(ours), escapes(rival), ...times]];
    }),
  );
  if (cells.length === 0) return 'Not measured here: the large network is not in the folder of networks.';
  const header = ['set', 'network', 'AUROC', `AUROC ResNet50v2 at ${RIVAL_SIZE}`, 'escapes', 'escapes ResNet50v2'];
  return table([...header, 'ms p50 / p95', 'ms ResNet50v2', 'times faster'], cells);
}

/** Regions against masks; the mean over the sets first. */
function boxTable(rows: readonly MeasuredRow[]): string {
  const figuresOf = ({ boxes }: MeasuredRow['report']): number[] =>
    boxes
      ? [
          boxes.median_iou,
          boxes.median_iou_largest,
          boxes.share_covered,
          boxes.median_outline_iou,
          boxes.regions_per_image,
        ]
      : [];
  const cells = rows.map(({ row, report }) => [[row.set, row.algorithm, row.backbone], figuresOf(report)] as const);
  const groups = [...new Set(rows.map(({ row }) => `${row.algorithm}|${row.backbone}`))].map((group) => {
    const own = cells.filter(([[, ...names]]) => names.join('|') === group).map(([, figures]) => figures);
    const means = own[0]!.map((_, at) => own.reduce((sum, figures) => sum + figures[at]!, 0) / own.length);
    return [[`mean of ${own.length}`, ...group.split('|')], means] as const;
  });
  const header = [
    'set',
    'algorithm',
    'network',
    'median IoU',
    'of the largest part',
    'share covered',
    'median IoU of outlines',
    'regions an image',
  ];
  return table(
    header,
    [...groups, ...cells].map(([names, figures]) => [...names, ...figures.map((figure) => decimals(figure, 2))]),
  );
}

function fewImages(rows: readonly MeasuredRow[]): string {
  const limits = [...new Set(rows.map(({ row }) => row.trainLimit ?? Number.POSITIVE_INFINITY))].sort((a, b) => a - b);
  const group = ({ row }: MeasuredRow): string => [row.set, row.algorithm, row.backbone].join('|');
  const limited = rows.filter(({ row }) => row.trainLimit !== undefined);
  const cells = [...new Set(limited.map(group))].map((key) => [
    ...key.split('|'),
    ...limits.map((limit) => {
      const found = rows.find(
        (measured) => group(measured) === key && (measured.row.trainLimit ?? Number.POSITIVE_INFINITY) === limit,
      )?.report;
      if (!found) return '–';
      const { false_alarms, escapes } = found.at_threshold;
      return `${decimals(found.image_auroc)} (${false_alarms}, ${escapes})`;
    }),
  ]);
  const names = limits.map((limit) => (Number.isFinite(limit) ? `${limit} images` : 'all'));
  return table(['set', 'algorithm', 'network', ...names], cells);
}

function dirtyTraining(rows: readonly MeasuredRow[]): string {
  const cells = rows.flatMap(({ row, report }) => {
    const { dirty } = row;
    const clean = rows.find(
      ({ row: other }) =>
        other.set === row.set &&
        other.algorithm === row.algorithm &&
        other.backbone === row.backbone &&
        other.dirty?.share === dirty?.share &&
        other.dirty?.aside,
    );
    if (!dirty || dirty.aside || !clean) return [];
    const fall = (clean.report.image_auroc ?? 0) - (report.image_auroc ?? 0);
    const named = report.dirt ? `${report.dirt.named}/${report.dirt.mixed_in}` : '–';
    const share = `${Math.round(100 * dirty.share)} %`;
    const auroc = [decimals(clean.report.image_auroc), decimals(report.image_auroc), fall.toFixed(4)];
    const goodNamed = `${report.dirt?.good_named ?? 0} (clean: ${clean.report.left_out + clean.report.doubtful})`;
    return [[row.set, row.algorithm, row.backbone, share, ...auroc, named, goodNamed]];
  });
  const header = ['set', 'algorithm', 'network', 'dirt', 'AUROC clean', 'AUROC dirty', 'fall', 'culprits named'];
  return table([...header, 'good ones named'], cells);
}

/** What labelled defects bring: PatchCore and the classifier on the same test images; means over the sets first. */
function labelledDefects(rows: readonly MeasuredRow[]): string {
  const find = (other: MeasuredRow['row'], algorithm: string) =>
    rows.find(
      ({ row }) =>
        row.set === other.set &&
        row.backbone === other.backbone &&
        row.labelled === other.labelled &&
        row.algorithm === algorithm,
    )?.report;
  const pairs = rows.flatMap(({ row, report: classifier }) => {
    const patchcore = find(row, 'patchcore');
    return row.algorithm === 'defect-classifier' && patchcore ? [{ row, patchcore, classifier }] : [];
  });
  const name = (labelled = 0): string => (labelled < 1 ? `${100 * labelled} %` : `${labelled}`);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const share = ({ at_threshold: { escapes }, test_defect }: MeasuredRow['report']): number => escapes / test_defect;
  const alarmShare = ({ at_threshold: { false_alarms }, test_good }: MeasuredRow['report']): number =>
    false_alarms / test_good;
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  const groups = [...new Set(pairs.map(({ row }) => row.labelled))].map((labelled) => {
    const own = pairs.filter(({ row }) => row.labelled === labelled);
    const figures = (algorithm: 'patchcore' | 'classifier'): string[] => {
      const reports = own.map((pair) => pair[algorithm]);
      return [
        decimals(mean(reports.map(({ image_auroc }) => image_auroc ?? 0))),
        `${percent(mean(reports.map(alarmShare)))}, ${percent(mean(reports.map(share)))}`,
      ];
    };
    return [`mean of ${own.length}`, name(labelled), ...figures('patchcore'), ...figures('classifier'), ''];
  });
  const counts = ({ at_threshold, test_good, test_defect }: MeasuredRow['report']): string =>
    `${at_threshold.false_alarms}/${test_good}, ${at_threshold.escapes}/${test_defect}`;
  const cells = pairs.map(({ row, patchcore, classifier }) => {
    const figures = [patchcore, classifier].flatMap((report) => [decimals(report.image_auroc), counts(report)]);
    const rightClass = classifier.labelled?.right_class;
    return [row.set, name(row.labelled), ...figures, rightClass === undefined ? '–' : percent(rightClass)];
  });
  const header = ['set', 'labelled', '`patchcore`: AUROC', 'false alarms, escapes', '`defect-classifier`: AUROC'];
  return table([...header, 'false alarms, escapes', 'right class'], [...groups, ...cells]);
}

const byPlace = ({ row: a }: MeasuredRow, { row: b }: MeasuredRow): number =>
  SETS.indexOf(a.set) - SETS.indexOf(b.set) ||
  ALGORITHMS.indexOf(a.algorithm) - ALGORITHMS.indexOf(b.algorithm) ||
  a.backbone.localeCompare(b.backbone);

const BOX_NOTE = `Defective images that were found NG: intersection over union of the best box with each part of a mask; share of a
mask in any box; intersection over union of all outlines of an image with its mask, in pixels.\n`;

const LABELLED_NOTE = `So many defects of a set, or this share of them, are annotated by their masks and given to the training; the others
are the test's, the same ones for both algorithms. Without masks (screw, casting, most of wood) they have no class.\n`;

/** The results as one Markdown page. */
export function renderResults(all: readonly MeasuredRow[]): string {
  const rows = all.toSorted(byPlace);
  const plain = rows.filter(({ row }) => row.trainLimit === undefined && !row.dirty && row.labelled === undefined);
  const whole = plain.filter(({ row }) => row.imageSize === undefined);
  const first = rows.filter(({ row }) => row.seed === undefined);
  const few = first.filter(
    ({ row }) => !row.dirty && row.labelled === undefined && row.imageSize === undefined && row.set !== BOX_SET,
  );
  const dirty = rows.filter(({ row }) => row.dirty);
  const labelled = rows.filter(({ row }) => row.labelled !== undefined);
  const boxes = whole.filter(({ row, report }) => row.seed === undefined && report.boxes);
  const machines = [...new Set(rows.map(({ machine }) => machine))].join('; ');
  const sections = [
    '# Accuracy',
    'Written by `npm run bench:accuracy`; every figure is one of `kensa evaluate` with default parameters. False alarms and',
    'escapes are counted at the threshold that training set by itself for a false-alarm rate of 1 %.',
    `Machine: ${machines}. Times with ~ were taken while it did other work as well; an image's time runs from file bytes`,
    'to verdict and regions. A heatmap is drawn when somebody looks at it; in rows up to 2026-11-22 it is drawn at once.',
    '\n## Mean over the sets\n',
    means(whole.filter(({ row }) => row.seed === undefined)),
    '\n## Every set\n',
    fullTable(whole.filter(({ row }) => row.seed === undefined)),
    ...(boxes.length > 0 ? ['\n## Regions against masks\n', BOX_NOTE, boxTable(boxes)] : []),
    '\n## Our networks against a large public one\n',
    comparison(plain),
    ...(few.some(({ row }) => row.trainLimit !== undefined)
      ? ['\n## Few images\n', 'Image AUROC (false alarms, escapes).\n', fewImages(few)]
      : []),
    ...(labelled.length > 0 ? ['\n## Labelled defects\n', LABELLED_NOTE, labelledDefects(labelled)] : []),
    ...(dirty.length > 0 ? ['\n## Defects among the good images, unlabelled\n', dirtyTraining(dirty)] : []),
  ];
  return `${sections.join('\n')}\n`;
}
