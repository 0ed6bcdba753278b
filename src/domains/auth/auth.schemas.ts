import Type from 'typebox';
import { Shape } from '../../http/common-schemas.ts';

export const LoginParams = Shape('LoginParams', {
  client_id: Type.String({ minLength: 1, maxLength: 500 }),
  client_secret: Type.String({ minLength: 1, maxLength: 500 }),
  grant_type: Type.String({ maxLength: 100, description: 'client_credentials' }),
  scope: Type.Optional(Type.String({ maxLength: 200, description: 'all' })),
});

export const LoginResponse = Shape('LoginResponse', {
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'seconds' }),
  scope: Type.String(),
});
