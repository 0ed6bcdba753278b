import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Data } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import {
  DeletedHold,
  DeletedRetentionRule,
  Hold,
  HoldIdParams,
  NewHold,
  NewRetentionRule,
  RetentionIdParams,
  RetentionPreview,
  RetentionPreviewBody,
  RetentionRule,
  RetentionRuleChanges,
  RetentionRun,
  RetentionRunPage,
  RetentionRunsQuery,
  RetentionSettingsChanges,
  RetentionState,
} from './retention.schemas.ts';
import type { RetentionService } from './retention.service.ts';

export function retentionRoutes(retention: RetentionService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Retention');
  return async (app) => {
    app.get(
      '/api/v1/retention/',
      operation('getRetention', 'ext: settings, room on the disk, how long it lasts, and the last run', {
        role: 'viewer',
        answer: RetentionState,
      }),
      async () => ({ data: await retention.readState() }),
    );
    app.put(
      '/api/v1/retention/',
      operation('setRetention', 'ext: what stays free on the disk, and when the daily run starts', {
        role: 'admin',
        body: RetentionSettingsChanges,
        answer: RetentionState,
        errors: [422],
      }),
      async ({ body }) => ({ data: await retention.changeSettings(body) }),
    );
    app.get(
      '/api/v1/retention/rules',
      operation('getRetentionRules', 'ext: all rules', { role: 'viewer', answer: Type.Array(RetentionRule) }),
      async () => ({ data: await retention.listRules() }),
    );
    app.post(
      '/api/v1/retention/rules',
      operation('createRetentionRule', 'ext: make a rule', {
        role: 'admin',
        body: NewRetentionRule,
        response: { 201: Data(RetentionRule) },
        errors: [422],
      }),
      async ({ body }, reply) => reply.status(201).send({ data: await retention.createRule(body) }),
    );
    app.get(
      '/api/v1/retention/rules/:retention_id',
      operation('getRetentionRuleById', 'ext: a rule with its stations', {
        role: 'viewer',
        params: RetentionIdParams,
        answer: RetentionRule,
        errors: [404],
      }),
      async ({ params }) => ({ data: await retention.getRule(params.retention_id) }),
    );
    app.put(
      '/api/v1/retention/rules/:retention_id',
      operation('updateRetentionRule', 'ext: change a rule; what is not sent stays', {
        role: 'admin',
        params: RetentionIdParams,
        body: RetentionRuleChanges,
        answer: RetentionRule,
        errors: [404, 422],
      }),
      async ({ params, body }) => ({ data: await retention.updateRule(params.retention_id, body) }),
    );
    app.delete(
      '/api/v1/retention/rules/:retention_id',
      operation('deleteRetentionRule', 'ext: delete a rule that no station names', {
        role: 'admin',
        params: RetentionIdParams,
        answer: DeletedRetentionRule,
        errors: [404, 422],
      }),
      async ({ params }) => ({ data: { retention_id: await retention.deleteRule(params.retention_id) } }),
    );
    app.post(
      '/api/v1/retention/preview',
      operation('previewRetention', 'ext: what a run would remove now, also with a rule that is not saved', {
        role: 'admin',
        body: RetentionPreviewBody,
        answer: RetentionPreview,
        errors: [404, 422],
      }),
      async ({ body }) => ({ data: await retention.preview(body) }),
    );
    app.get(
      '/api/v1/retention/runs',
      operation('getRetentionRuns', 'ext: what was removed when and why, newest first', {
        role: 'viewer',
        querystring: RetentionRunsQuery,
        answer: RetentionRunPage,
        errors: [422],
      }),
      async ({ query }) => ({ data: await retention.listRuns(query.count, query.page) }),
    );
    app.post(
      '/api/v1/retention/runs',
      operation('startRetentionRun', 'ext: remove now what is due', {
        role: 'admin',
        response: { 202: Data(RetentionRun) },
      }),
      async (_request, reply) => reply.status(202).send({ data: await retention.startRun() }),
    );
    app.get(
      '/api/v1/retention/holds',
      operation('getHolds', 'ext: all holds, newest first', { role: 'viewer', answer: Type.Array(Hold) }),
      async () => ({ data: await retention.listHolds() }),
    );
    app.post(
      '/api/v1/retention/holds',
      operation('createHold', 'ext: keep items from retention and from deletion, with a reason', {
        role: 'engineer',
        body: NewHold,
        response: { 201: Data(Hold) },
        errors: [404, 422],
      }),
      async ({ body }, reply) => reply.status(201).send({ data: await retention.createHold(body) }),
    );
    app.delete(
      '/api/v1/retention/holds/:hold_id',
      operation('deleteHold', 'ext: release a hold', {
        role: 'admin',
        params: HoldIdParams,
        answer: DeletedHold,
        errors: [404],
      }),
      async ({ params }) => ({ data: { hold_id: await retention.deleteHold(params.hold_id) } }),
    );
  };
}
