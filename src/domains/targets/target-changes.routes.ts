import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import {
  DeletedTarget,
  InspectionTarget,
  NewTarget,
  PreprocessingStepInfo,
  TargetChanges,
  TargetIdParams,
} from './targets.schemas.ts';
import type { TargetsService } from './targets.service.ts';

export function targetChangesRoutes(targets: TargetsService): FastifyPluginAsyncTypebox {
  const tags = ['Inspection targets'];
  return async (app) => {
    app.get(
      '/api/v1/targets/steps',
      {
        schema: {
          operationId: 'getPreprocessingSteps',
          tags,
          summary: 'ext: the preprocessing steps that there are, and what their config may hold',
          response: { 200: Data(Type.Array(PreprocessingStepInfo)), ...errorResponses() },
        },
      },
      async () => ({ data: targets.listSteps() }),
    );
    app.post(
      '/api/v1/targets/',
      {
        schema: {
          operationId: 'createInspectionTarget',
          tags,
          summary: 'ext: make an inspection target',
          body: NewTarget,
          response: { 201: Data(InspectionTarget), ...errorResponses(422) },
        },
      },
      async ({ body }, reply) => reply.status(201).send({ data: await targets.createTarget(body) }),
    );
    app.put(
      '/api/v1/targets/:target_id',
      {
        schema: {
          operationId: 'updateInspectionTarget',
          tags,
          summary: 'ext: change name or steps; models keep the steps that they were trained with',
          params: TargetIdParams,
          body: TargetChanges,
          response: { 200: Data(InspectionTarget), ...errorResponses(404, 422) },
        },
      },
      async ({ params, body }) => ({ data: await targets.updateTarget(params.target_id, body) }),
    );
    app.delete(
      '/api/v1/targets/:target_id',
      {
        schema: {
          operationId: 'deleteInspectionTarget',
          tags,
          summary: 'ext: delete a target that is not the default',
          params: TargetIdParams,
          response: { 200: Data(DeletedTarget), ...errorResponses(404, 422) },
        },
      },
      async ({ params }) => ({ data: { target_id: await targets.deleteTarget(params.target_id) } }),
    );
  };
}
