import { describe, expect, it } from 'vitest';
import { toEnglish } from '../engine-messages.ts';
import { validateStep } from './steps.ts';

/** Field and message of every issue. */
function issuesOf(name: string, config: string | null): string[] {
  const result = validateStep(name, config);
  return result.ok ? [] : result.issues.map((issue) => `${issue.field} | ${toEnglish(issue.message)}`);
}

describe('validateStep', () => {
  it('fills in defaults', () => {
    expect(validateStep('gamma', null)).toEqual({ ok: true, config: { gamma: 1.5 } });
    expect(validateStep('rotate', ' ')).toEqual({ ok: true, config: { degrees: 90, expand: true } });
    expect(validateStep('crop', '{"width": 50, "height": 40, "x": 5}')).toEqual({
      ok: true,
      config: { x: 5, y: 0, width: 50, height: 40, unit: 'percent' },
    });
  });

  it.each([
    ['blur', '{}', ['name | There is no preprocessing step "blur"; the steps are crop, mask']],
    ['gamma', '{"gamma":', ['config | gamma: config is not JSON']],
    ['gamma', '[2]', ['config | gamma: config is [2]; send a JSON object as a string, such as {"gamma":1.5}']],
    ['gamma', '{"gamma":0}', ['gamma | gamma: gamma must be at least 0.1, received 0.']],
    ['gamma', '{"gamma":"2"}', ['gamma | gamma: gamma must be a number, received "2".']],
    ['gamma', '{"gama":2}', ['gama | gamma: gama is not known here. Known: gamma.']],
    ['denoise', '{"window":4}', ['window | denoise: window must be one of 3, 5, 7, received 4.']],
    [
      'crop',
      '{"width":0}',
      ['height | crop: height is required. Send it.', 'width | crop: width must be more than 0, received 0.'],
    ],
    ['mask', '{"polygons":[[[1,2],[3,4]]]}', ['polygons.0 | mask: polygons.0 must have at least 3 entries.']],
    [
      'white_balance',
      '{"area":{"x":0,"y":0,"width":9,"height":9,"z":1}}',
      ['area.z | white_balance: area.z is not known here.'],
    ],
    [
      'white_balance',
      '{"area":{"x":60,"y":0,"width":60,"height":9}}',
      ['area | white_balance: area is 60×9\u00a0% at (60, 0)'],
    ],
    ['resize', '{}', ['width | resize: "width" and "height" are both missing; give one']],
    ['align', '{}', ['reference | align: reference is required. Send it.']],
  ])('%s %s', (name, config, expected) => {
    const issues = issuesOf(name, config);
    expect(issues.length).toBe(expected.length);
    expected.forEach((start, index) => {
      expect(issues[index]?.slice(0, start.length)).toBe(start);
    });
  });
});
