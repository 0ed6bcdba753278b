import type { Messages } from '../translate.ts';

export const operationsMessages = {} as const satisfies Messages;
