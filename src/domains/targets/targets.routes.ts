import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import { InspectionTarget, TargetIdParams } from './targets.schemas.ts';
import type { TargetsService } from './targets.service.ts';

export function targetsRoutes(targets: TargetsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/api/v1/targets/',
      {
        schema: {
          operationId: 'getInspectionTargets',
          tags: ['Inspection targets'],
          summary: 'All inspection targets',
          response: { 200: Data(Type.Array(InspectionTarget)), ...errorResponses() },
        },
      },
      async () => ({ data: await targets.listTargets() }),
    );
    app.get(
      '/api/v1/targets/:target_id',
      {
        schema: {
          operationId: 'getInspectionTargetById',
          tags: ['Inspection targets'],
          summary: 'One inspection target',
          params: TargetIdParams,
          response: { 200: Data(InspectionTarget), ...errorResponses(404) },
        },
      },
      async ({ params }) => ({ data: await targets.getTarget(params.target_id) }),
    );
    app.post(
      '/api/v1/targets/:target_id',
      {
        schema: {
          operationId: 'setInspectionTargetById',
          tags: ['Inspection targets'],
          summary: 'Make it the default target',
          params: TargetIdParams,
          response: { 200: Data(InspectionTarget), ...errorResponses(404) },
        },
      },
      async ({ params }) => ({ data: await targets.setDefaultTarget(params.target_id) }),
    );
  };
}
