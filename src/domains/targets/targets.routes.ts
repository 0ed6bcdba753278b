import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { fieldError } from '../../errors.ts';
import { Binary, Data } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { readMultipart } from '../../http/uploads.ts';
import { say } from '../../messages/message.ts';
import {
  DeletedTarget,
  InspectionTarget,
  NewTarget,
  Preprocessing,
  type PreprocessingInput,
  PreprocessingStepInfo,
  PreviewRequest,
  type PreviewRequestInput,
  TargetChanges,
  TargetIdParams,
} from './targets.schemas.ts';
import type { TargetsService } from './targets.service.ts';

const multipartBody = {
  required: ['image'],
  properties: {
    image: { type: 'string', format: 'binary', description: 'the image file that goes through the steps' },
    preprocessing: { type: 'string', description: 'steps to try, as JSON; absent: those of the target' },
  },
} as const;

export function targetsRoutes(targets: TargetsService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Inspection targets');
  return async (app) => {
    app.get(
      '/api/v1/targets/',
      operation('getInspectionTargets', 'All inspection targets', {
        role: 'viewer',
        answer: Type.Array(InspectionTarget),
      }),
      async () => ({ data: await targets.listTargets() }),
    );
    app.get(
      '/api/v1/targets/:target_id',
      operation('getInspectionTargetById', 'One inspection target', {
        role: 'viewer',
        params: TargetIdParams,
        answer: InspectionTarget,
        errors: [404],
      }),
      async ({ params }) => ({ data: await targets.getTarget(params.target_id) }),
    );
    app.post(
      '/api/v1/targets/:target_id',
      operation('setInspectionTargetById', 'Make it the default target', {
        role: 'engineer',
        params: TargetIdParams,
        answer: InspectionTarget,
        errors: [404],
      }),
      async ({ params }) => ({ data: await targets.setDefaultTarget(params.target_id) }),
    );
    app.get(
      '/api/v1/targets/steps',
      operation(
        'getPreprocessingSteps',
        'ext: the preprocessing steps that there are, and what their config may hold',
        { role: 'viewer', answer: Type.Array(PreprocessingStepInfo) },
      ),
      async () => ({ data: targets.listSteps() }),
    );
    app.post(
      '/api/v1/targets/',
      operation('createInspectionTarget', 'ext: make an inspection target', {
        role: 'engineer',
        body: NewTarget,
        response: { 201: Data(InspectionTarget) },
        errors: [422],
      }),
      async ({ body }, reply) => reply.status(201).send({ data: await targets.createTarget(body) }),
    );
    app.put(
      '/api/v1/targets/:target_id',
      operation(
        'updateInspectionTarget',
        'ext: change name or steps; models keep the steps that they were trained with',
        { role: 'engineer', params: TargetIdParams, body: TargetChanges, answer: InspectionTarget, errors: [404, 422] },
      ),
      async ({ params, body }) => ({ data: await targets.updateTarget(params.target_id, body) }),
    );
    app.delete(
      '/api/v1/targets/:target_id',
      operation('deleteInspectionTarget', 'ext: delete a target that is not the default', {
        role: 'engineer',
        params: TargetIdParams,
        answer: DeletedTarget,
        errors: [404, 422],
      }),
      async ({ params }) => ({ data: { target_id: await targets.deleteTarget(params.target_id) } }),
    );
    app.post(
      '/api/v1/targets/:target_id/preview',
      operation('previewInspectionTarget', 'ext: an image of an item, or one that is sent, after the steps', {
        role: 'viewer',
        params: TargetIdParams,
        // The handler reads a multipart body as a stream and checks it; its schema documents it.
        body: {
          content: {
            'application/json': { schema: PreviewRequest },
            'multipart/form-data': { schema: multipartBody },
          },
        },
        response: { 200: Binary('image/webp', 'the image after the steps') },
        errors: [404, 422],
      }),
      async (request, reply) => {
        const { target_id: targetId } = request.params;
        const preview = request.isMultipart()
          ? await previewUpload(targets, targetId, request)
          : await targets.previewItem(targetId, requireJson(request.body));
        return reply.header('content-type', 'image/webp').send(Buffer.from(preview) as never);
      },
    );
  };
}

/** A body of a type that the operation does not name is not checked against its schemas. */
function requireJson(body: unknown): PreviewRequestInput {
  if (typeof body === 'object' && body !== null) return body as PreviewRequestInput;
  throw fieldError('invalid-request', 'body', say('target.preview-body'));
}

async function previewUpload(targets: TargetsService, targetId: string, request: FastifyRequest): Promise<Uint8Array> {
  const images: { bytes: Buffer; release(): void }[] = [];
  try {
    const fields = await readMultipart(request, {
      field: 'image',
      fields: ['preprocessing'],
      onFile: async (_name, bytes, { release }) => {
        images.push({ bytes, release });
      },
    });
    const image = images.at(-1);
    if (!image) throw fieldError('invalid-request', 'image', say('field.required'));
    return await targets.previewImage(targetId, image.bytes, parseSteps(fields['preprocessing']));
  } finally {
    for (const { release } of images) release();
  }
}

function parseSteps(text: string | undefined): PreprocessingInput[] | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const refuse = () => fieldError('invalid-request', 'preprocessing', say('target.preview-steps'));
  let steps: unknown;
  try {
    steps = JSON.parse(text);
  } catch {
    throw refuse();
  }
  if (!Value.Check(Type.Array(Preprocessing, { maxItems: 50 }), steps)) throw refuse();
  return steps;
}
