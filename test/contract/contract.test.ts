import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareAll, compareOperation, compareResource, type Json } from './compare-openapi.ts';
import { parseInterface } from './interface-document.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const documented = parseInterface(read('interface/visual-inspection-service-interface.md'));
// That this is what the service serves is held by the test of the generated files.
const servedText = read('../../docs/openapi.json');
const served = JSON.parse(servedText) as Json;

describe('the interface document', () => {
  it('is read whole', () => {
    expect([...documented.resources.keys()].sort()).toEqual(
      [
        ...['Algorithm', 'AlgorithmParameter', 'Annotation', 'GetItemsResponse', 'InspectionTarget', 'Item'],
        ...['ItemImageMeta', 'LicenseHashResponse', 'LicenseResponse', 'LoginParams', 'Model', 'ModelAssessment'],
        ...['ModelIdsQuery', 'ModelPrecision', 'ModelStats', 'PredictCallback', 'PredictParameters', 'Preprocessing'],
        ...['TrainRequest', 'UserAssessment'],
      ].sort(),
    );
    expect(documented.operations).toHaveLength(24);
    const count = [...documented.resources.values()].reduce((total, fields) => total + fields.length, 0);
    expect(count).toBe(102);
  });
});

describe('the served document', () => {
  it.each([...documented.resources])('has %s with its fields and types', (name, fields) => {
    expect(compareResource(name, fields, served)).toEqual([]);
  });

  it.each(documented.operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'has %s with its input, answers and errors',
    (_name, operation) => {
      expect(compareOperation(operation, served)).toEqual([]);
    },
  );

  it('secures every operation but the token with bearer and OAuth 2.0', () => {
    expect(served).toMatchObject({
      security: [{ bearer: [] }, { oauth2: ['all'] }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, oauth2: { type: 'oauth2' } } },
    });
    for (const { path, method } of documented.operations) {
      const operation = (served['paths'] as Record<string, Record<string, Json>>)[path]?.[method];
      expect(operation?.['security'], path).toEqual(path === '/api/auth/token' ? [] : undefined);
    }
  });
});

describe('the comparison', () => {
  it.each([
    ['a field is renamed', '"anomaly_score"', '"score"', 'ModelAssessment: field anomaly_score is missing'],
    ['a path is renamed', '/api/v1/models/{model_id}/predict"', '/api/v1/models/{model_id}/judge"', 'is not served'],
    ['an operation is renamed', '"operationId": "delItem"', '"operationId": "deleteItem"', 'operationId is deleteItem'],
    [
      'a type changes',
      '"image_url": {',
      '"image_url": { "type": "integer" }, "other": {',
      'Model.image_url is integer',
    ],
    ['a status is gone', '"425": {', '"429": {', 'body of 425 is nothing'],
    ['a parameter is renamed', '"name": "item_type"', '"name": "type"', 'query item_type is missing'],
  ])('sees when %s', (_what, from, to, difference) => {
    expect(servedText).toContain(from);
    const changed = JSON.parse(servedText.replaceAll(from, to)) as Json;
    expect(compareAll(documented, changed).join('\n')).toContain(difference);
  });
});
