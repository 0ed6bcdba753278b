import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { fieldError } from '../../errors.ts';
import { Shape } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { readMultipart } from '../../http/uploads.ts';
import { say } from '../../messages/message.ts';
import type { LicenseService } from './license.service.ts';

const LicenseResponse = Shape('LicenseResponse', { license_expiry: Type.String({ description: 'ISO 8601' }) });
const LicenseHashResponse = Shape('LicenseHashResponse', { hash_id: Type.String() });

const licenseBody = {
  type: 'object',
  required: ['license_data'],
  properties: { license_data: { type: 'string', description: 'text of the license' } },
} as const;

const maxLicenseBytes = 64 * 1024;

export function licenseRoutes(license: LicenseService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Utilities');
  return async (app) => {
    app.post(
      '/api/v1/utils/',
      {
        // The handler reads the body and checks it; the schema documents it.
        validatorCompiler: () => () => true,
        ...operation('setLicense', 'Install a license', {
          role: 'admin',
          consumes: ['multipart/form-data'],
          body: licenseBody,
          answer: LicenseResponse,
          errors: [422],
        }),
      },
      async (request) => {
        let sentAsFile: string | undefined;
        const fields = await readMultipart(request, {
          field: 'license_data',
          fields: ['license_data'],
          maxBytes: maxLicenseBytes,
          onFile: async (_name, bytes, { release }) => {
            sentAsFile = bytes.toString('utf8');
            release();
          },
        });
        const statement = (sentAsFile ?? fields['license_data'] ?? '').trim();
        if (statement === '') throw fieldError('invalid-request', 'license_data', say('field.required'));
        return { data: { license_expiry: (await license.installLicense(statement)).expiry } };
      },
    );
    app.post(
      '/api/v1/utils/node_hash',
      operation('getHashId', 'Hash that identifies this machine, for a license', {
        role: 'viewer',
        answer: LicenseHashResponse,
      }),
      async () => ({ data: { hash_id: license.nodeHash } }),
    );
  };
}
