import { FtpReply } from './ftp-reply.ts';

const longest = 500;

/**
 * The path that a client means. There are no real folders: every folder exists, and none can be listed.
 * @throws FtpReply 553 where it cannot be a name.
 */
export function resolvePath(folder: string, argument: string): string {
  if (argument === '') throw new FtpReply(501, 'Send a name.');
  const parts = argument.startsWith('/') ? [] : folder.split('/').filter((part) => part !== '');
  for (const part of argument.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const path = `/${parts.join('/')}`;
  if (path.length > longest) throw new FtpReply(553, `The name is longer than ${longest} characters.`);
  if (/\p{Cc}/u.test(path)) throw new FtpReply(553, 'The name holds a control character.');
  return path;
}
