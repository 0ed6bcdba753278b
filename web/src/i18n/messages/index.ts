import { itemMessages } from './item.ts';
import { itemsMessages } from './items.ts';
import { modelMessages } from './model.ts';
import { operationsMessages } from './operations.ts';
import { shellMessages } from './shell.ts';
import { startMessages } from './start.ts';
import { targetMessages } from './target.ts';
import { trainMessages } from './train.ts';

export const messages = {
  ...shellMessages,
  ...startMessages,
  ...itemsMessages,
  ...itemMessages,
  ...trainMessages,
  ...modelMessages,
  ...targetMessages,
  ...operationsMessages,
};

export type MessageKey = keyof typeof messages;
