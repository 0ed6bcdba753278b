export interface DocumentedField {
  readonly name: string;
  /** As the document writes it: `int32`, `string?`, `array of Item`; undefined where it names no type. */
  readonly type: string | undefined;
  readonly required: boolean;
}

export interface DocumentedOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly pathFields: readonly DocumentedField[];
  readonly queryFields: readonly DocumentedField[];
  readonly body: { readonly contentType: string; readonly fields: readonly DocumentedField[] } | undefined;
  readonly success: number | undefined;
  /** `Model`, `[Model]`, or undefined where the answer is no `{data: …}` of a named shape. */
  readonly data: string | undefined;
  readonly statuses: readonly number[];
}

export interface InterfaceDocument {
  readonly resources: ReadonlyMap<string, readonly DocumentedField[]>;
  readonly operations: readonly DocumentedOperation[];
}

/** Reads resources and operations out of the tables and field lists of the interface document. */
export function parseInterface(markdown: string): InterfaceDocument {
  const resources = parseResources(section(markdown, 'Resources and their fields'));
  const endpoints = section(markdown, 'Endpoints');
  for (const [name, fields] of parseBodies(endpoints)) resources.set(name, fields);
  const rows = tableRows(endpoints, 'Operation');
  return { resources, operations: rows.map((cells) => parseOperation(cells, resources)) };
}

function section(markdown: string, title: string): string {
  const [, after = ''] = markdown.split(`\n## ${title}\n`);
  return after.split('\n## ')[0] ?? '';
}

/** Cells of the rows of all tables whose first heading is `first`. */
function tableRows(text: string, first: string): string[][] {
  const rows: string[][] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (cells.length === 0) inside = false;
    else if (cells[0] === first) inside = true;
    else if (inside && !/^-+$/.test(cells[0] ?? '')) rows.push(cells);
  }
  return rows;
}

function tableFields(text: string, requiredByDefault = false): DocumentedField[] {
  return tableRows(text, 'Field').flatMap(([names = '', type = '', required]) =>
    names.split(', ').map((name) => ({
      name,
      type,
      required: required === undefined ? requiredByDefault : required === 'yes',
    })),
  );
}

/** Fields written in a sentence: `a` (int32), `b`, `c` (all string) and `d` (array of Item). */
function listedFields(text: string): DocumentedField[] {
  const fields: DocumentedField[] = [];
  let waiting: string[] = [];
  for (const [, name = '', details] of text.matchAll(/`([a-z_]+)`(?: \(([^)]*)\))?/g)) {
    waiting.push(name);
    if (details === undefined) continue;
    const [type = ''] = details.replace(/^all /, '').split(/[,;]/);
    for (const one of waiting) fields.push({ name: one, type: type.trim(), required: /\brequired\b/.test(details) });
    waiting = [];
  }
  return fields;
}

const sectionShapes: Readonly<Record<string, string>> = {
  'Prediction parameters': 'PredictParameters',
  'Prediction callback setting': 'PredictCallback',
  'Item page': 'GetItemsResponse',
};

function parseResources(text: string): Map<string, DocumentedField[]> {
  const resources = new Map<string, DocumentedField[]>();
  for (const part of text.split('\n### ').slice(1)) {
    const [heading = '', ...lines] = part.split('\n');
    const words = heading.split(' (')[0] ?? '';
    const name = sectionShapes[words] ?? words;
    const fields = tableFields(part);
    if (fields.length > 0) resources.set(name, fields);
    for (const line of lines.filter((candidate) => !candidate.startsWith('|'))) {
      const named = [...line.matchAll(/(?:^|- |\) ?[.]? ?|\. )([A-Z]\w+): ((?:`\w+` \([^)]*\)(?:, )?)+)/g)];
      for (const [, shape = '', list = ''] of named) resources.set(shape, listedFields(list));
      if (named.length === 0 && fields.length === 0 && line.startsWith('`')) resources.set(name, listedFields(line));
    }
  }
  return resources;
}

/** TrainRequest and LoginParams stand between the tables of the operations. */
function parseBodies(text: string): Map<string, DocumentedField[]> {
  const [, train = ''] = text.split('TrainRequest (all fields optional):');
  const [, login = ''] = text.split('LoginParams (all required strings):');
  const loginFields = [...(login.split('.')[0] ?? '').matchAll(/`(\w+)`/g)];
  return new Map([
    ['TrainRequest', tableFields(train.split('\n###')[0] ?? '')],
    ['LoginParams', loginFields.map(([, name = '']) => ({ name, type: 'string', required: true }))],
  ]);
}

function parseOperation(cells: readonly string[], resources: Map<string, DocumentedField[]>): DocumentedOperation {
  const [name = '', methodAndPath = '', input = '', answer = ''] = cells;
  const [method = '', path = ''] = methodAndPath.split(' ');
  const [beforeBody = ''] = input.split(/JSON body|multipart/);
  const [pathPart = '', queryPart = ''] = beforeBody.split(/query /);
  const [success] = /^\d{3}/.exec(answer) ?? [];
  const [, data] = /`\{data: (\[?[A-Z]\w+\]?)\}`/.exec(answer) ?? [];
  const later = answer.replace(/^\d{3}/, '').matchAll(/\b(4\d\d)\b/g);
  return {
    name,
    method: method.toLowerCase(),
    path,
    pathFields: listedFields(pathPart).filter((field) => path.includes(`{${field.name}}`)),
    queryFields: listedFields(queryPart),
    body: parseBody(input, resources),
    success: success === undefined ? undefined : Number(success),
    data: answer.includes('item page') ? 'GetItemsResponse' : data,
    statuses: [...later].map(([, status]) => Number(status)),
  };
}

function parseBody(input: string, resources: Map<string, DocumentedField[]>): DocumentedOperation['body'] {
  const [, multipart] = /multipart\/form-data[:,](?: field)? (.*)$/.exec(input) ?? [];
  if (multipart !== undefined) return { contentType: 'multipart/form-data', fields: listedFields(multipart) };
  const [, json] = /JSON body (.*)$/.exec(input) ?? [];
  if (json === undefined) return undefined;
  const contentType = 'application/json';
  if (json.includes('prediction parameters')) return { contentType, fields: resources.get('PredictParameters') ?? [] };
  const [, literal] = /`\{(.*)\}`/.exec(json) ?? [];
  if (literal === undefined) return { contentType, fields: resources.get(json.trim()) ?? [] };
  const [outer = ''] = literal.split('[{');
  const fields = [...outer.matchAll(/([a-z_]+)(?:: (\[?\w+\]?))?/g)].map(([, name = '', type]) => ({
    name,
    type: type?.replace(/^\[(\w+)\]$/, 'array of $1'),
    required: false,
  }));
  return { contentType, fields };
}
