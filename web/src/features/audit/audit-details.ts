import { type MessageKey, messages, type Values } from '../../i18n/messages.ts';

type Details = Readonly<Record<string, unknown>>;

const isDetails = (value: unknown): value is Details =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const mostNames = 5;

/** The settings of a step; the text itself where an older entry has another form. */
function settingsOf(config: string): Details {
  try {
    const settings: unknown = JSON.parse(config);
    if (isDetails(settings)) return settings;
  } catch {
    // It is shown as it is.
  }
  return { config };
}

interface Words {
  readonly t: (key: MessageKey, values?: Values) => string;
  /** What an ID is of; undefined: it is not known here. */
  readonly nameOf: (id: string) => string | undefined;
  /** A setting of a preprocessing step; another one as it is. */
  readonly fieldName: (name: string) => string;
  readonly algorithmName: (id: string) => string;
  /** A value of such a setting; another one as it is. */
  readonly choiceText: (value: string) => string;
}

/** What an entry of the audit trail says of an act: a line for each field, with what it was before. */
export function detailLines(details: Details, { t, nameOf, fieldName, algorithmName, choiceText }: Words): string[] {
  const textOf = (key: string): string | undefined => (key in messages.en ? t(key as MessageKey) : undefined);
  /** A field of a later release is shown as it is. */
  const fieldText = (name: string): string => textOf(`detail.${name}`) ?? fieldName(name).replaceAll('_', ' ');
  /** Numbers of older entries stand for yes and no. */
  const flag = (value: unknown) => t(value === true || value === 1 ? 'detailYes' : 'detailNo');
  const valueText = (value: unknown, field: string): string => {
    if (value === null || value === undefined || value === '') return '–';
    if (typeof value === 'boolean' || field === 'is_training' || field === 'active') return flag(value);
    if (Array.isArray(value)) return listText(value, field);
    if (isDetails(value)) return partsOf(value);
    const text = String(value);
    // A person chose it, and it may be one of our words.
    if (field === 'name') return text;
    if (field === 'algorithm') return algorithmName(text);
    return textOf(`detailValue.${text}`) ?? textOf(`role.${text}`) ?? textOf(`act.${text}`) ?? nameOf(text) ?? text;
  };
  const partsOf = (value: Details): string => {
    const { name, config, ...given } = value;
    // A preprocessing step has its settings as text.
    const isStep = typeof config === 'string';
    const others: Details = isStep ? { ...given, ...settingsOf(config) } : given;
    const title = isStep ? textOf(String(name)) : undefined;
    const named = name === undefined || name === null ? [] : [title ?? String(name)];
    const rest = Object.entries(others).filter(([, part]) => part !== null && part !== undefined);
    const restText = (key: string, part: unknown) => {
      const text = valueText(part, key);
      return `${fieldText(key)} ${isStep ? choiceText(text) : text}`;
    };
    return [...named, ...rest.map(([key, part]) => restText(key, part))].join(' · ');
  };
  const listText = (list: readonly unknown[], field: string): string => {
    if (list.length === 0) return '–';
    const names = list.map((one) => (field === 'changed' ? fieldText(String(one)) : valueText(one, '')));
    const shown = names.slice(0, mostNames).join(', ');
    return names.length > mostNames ? t('detailMore', { names: shown, n: names.length - mostNames }) : shown;
  };
  const changeText = (name: string, before: unknown, after: unknown): string =>
    `${fieldText(name)}: ${valueText(before, name)} → ${valueText(after, name)}`;

  const { before, after, ...others } = details;
  const lines = Object.entries(others)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${fieldText(name)}: ${valueText(value, name)}`);
  if (isDetails(before) && isDetails(after)) {
    const names = Object.keys({ ...before, ...after });
    const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
    return [...lines, ...changed.map((name) => changeText(name, before[name], after[name]))];
  }
  if ('after' in details) return [...lines, changeText('value', before, after)];
  return 'before' in details ? [...lines, `${fieldText('before')}: ${valueText(before, '')}`] : lines;
}
