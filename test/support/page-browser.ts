import type { Answer, TestService } from './test-service.ts';

export const pageHeaders = { 'x-requested-with': 'kensa' };

/** The part of a browser that matters for sessions: keeps cookies and sends them, as the page's requests do. */
export function openBrowser(service: TestService, headers: Record<string, string> = pageHeaders) {
  const cookies = new Map<string, string>();
  const call = async (method: string, path: string, body?: unknown, more: object = {}): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await service.call(method, path, {
      token: null,
      headers: { ...headers, ...(cookie ? { cookie } : {}), ...more },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat() as string[]) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    cookies,
    call,
    signIn: (name: string, password: string) => call('POST', '/api/v1/session', { name, password }),
    role: async (): Promise<string | undefined> => {
      const { data } = (await call('GET', '/api/v1/session')).body as { data?: { account?: { role?: string } } };
      return data?.account?.role;
    },
  };
}
