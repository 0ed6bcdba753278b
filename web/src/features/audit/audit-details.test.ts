import { describe, expect, it } from 'vitest';
import { fillIn, type MessageKey, messages, type Values } from '../../i18n/messages.ts';
import { choiceTexts } from '../../i18n/server-words.ts';
import { detailLines } from './audit-details.ts';

const nameOf = (id: string) => ({ 'model-1': 'flange', 'model-2': 'flange, later' })[id];
const lines = (details: Record<string, unknown>, language: 'en' | 'ja' = 'en') =>
  detailLines(details, {
    nameOf,
    algorithmName: (id) => (id === 'defect-detector' ? '欠陥検出' : id),
    fieldName: (name) => ({ x: 'Left' })[name] ?? name,
    choiceText: (value) => choiceTexts[value]?.[language === 'ja' ? 1 : 0] ?? value,
    t: (key: MessageKey, values: Values = {}) => fillIn(messages[language][key], values),
  });

describe('the details of the audit trail', () => {
  it('say each changed field before and after', () => {
    const details = {
      before: { threshold: 0.5, ignore_outer: 'none', min_detected_area: 0 },
      after: { threshold: 0.62, ignore_outer: 'none', min_detected_area: 12 },
    };
    expect(lines(details)).toEqual(['Threshold: 0.5 → 0.62', 'Smallest area: 0 → 12']);
    expect(lines(details, 'ja')).toEqual(['しきい値: 0.5 → 0.62', '最小面積: 0 → 12']);
  });

  it('name what IDs, lists and choices stand for', () => {
    expect(lines({ name: 'press', before: 'model-1', after: 'model-2' })).toEqual([
      'Name: press',
      'Value: flange → flange, later',
    ]);
    const labels = { before: [], after: [{ label: 1, name: 'scratch' }] };
    expect(lines(labels)).toEqual(['Value: – → scratch · Kind 1']);
    expect(lines({ before: ['item.delete'], after: ['item.delete', 'model.delete'] })).toEqual([
      'Value: item deleted → item deleted, model deleted',
    ]);
    expect(lines({ name: 'press', changed: ['enabled', 'target_id'] })).toEqual([
      'Name: press',
      'Changed: In use, Product',
    ]);
    expect(lines({ cause: 'daily', items: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })).toEqual([
      'Cause: daily run',
      'Items: a, b, c, d, e and 2 more',
    ]);
    expect(lines({ name: 'defect-detector', algorithm: 'defect-detector' }, 'ja')).toEqual([
      '名前: defect-detector',
      'アルゴリズム: 欠陥検出',
    ]);
    expect(lines({ method: 'password', role: 'admin', disabled: false, label: null }, 'ja')).toEqual([
      'ログイン方法: パスワード',
      '役割: 管理者',
      '無効: いいえ',
    ]);
  });

  it('name the steps of a product with their settings', () => {
    const preprocessing = [
      { name: 'crop', config: '{"x":10,"unit":"percent"}' },
      { name: 'grayscale', config: '{}' },
    ];
    expect(lines({ name: 'flange', preprocessing })).toEqual([
      'Name: flange',
      'Steps: Crop · Left 10 · unit percent, Grayscale',
    ]);
    expect(lines({ preprocessing }, 'ja')).toEqual(['前処理: 切り抜き · Left 10 · unit パーセント, グレースケール']);
  });

  it('keep a name that is one of our words, and say what is gone', () => {
    expect(lines({ name: 'admin' }, 'ja')).toEqual(['名前: admin']);
    expect(lines({ before: { threshold: 0.5 }, after: {} })).toEqual(['Threshold: 0.5 → –']);
  });

  it('show settings of a step that are no JSON as they are', () => {
    expect(lines({ preprocessing: [{ name: 'crop', config: '{' }] })).toEqual(['Steps: Crop · Settings {']);
    expect(lines({ preprocessing: [{ name: 'crop', config: '[1]' }] })).toEqual(['Steps: Crop · Settings [1]']);
  });

  it('show a field of a later release as it is, and nothing where there is nothing', () => {
    expect(lines({ new_field: 3 })).toEqual(['new field: 3']);
    expect(lines({})).toEqual([]);
  });
});
