import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Dialog, Locator, Page, Request, Route } from 'playwright-core';
import { pageClient } from './page-service.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fills in the form; the page must show it. */
export async function logIn(page: Page, secret = pageClient.clientSecret): Promise<void> {
  await page.locator('input[name=name]').fill(pageClient.clientId);
  await page.locator('input[name=password]').fill(secret);
  await page.locator('button[type=submit]').click();
}

/** Goes to a screen as a user does: loading the page anew would forget the token. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.locator(`nav a[href="${path}"]:visible`).click();
}

/** Loads the page anew, and stays where the browser asks. Fails if it does not ask. */
export async function stayWhenAsked(page: Page): Promise<void> {
  const asked = page.waitForEvent('dialog');
  void page.evaluate('location.reload()').catch(() => undefined);
  const dialog = await asked;
  if (dialog.type() !== 'beforeunload') throw new Error(`The browser asked ${dialog.type()}: ${dialog.message()}`);
  await dialog.dismiss();
}

/** Loads the page anew. @returns how often the browser asked before it did */
export async function countDialogs(page: Page): Promise<number> {
  let dialogs = 0;
  const answer = (dialog: Dialog) => {
    dialogs++;
    return dialog.accept();
  };
  page.on('dialog', answer);
  await page.reload();
  page.off('dialog', answer);
  return dialogs;
}

/** Drops files as from a folder of the desktop. */
export async function dropFiles(
  target: Locator,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<void> {
  const carried = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }));
  // Text, because these tests are compiled without the types of a browser.
  const dataTransfer = await target.page().evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of ${JSON.stringify(carried)}) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    return transfer;
  })()`);
  await target.dispatchEvent('drop', { dataTransfer });
}

/** Drags with the mouse between two places, given as shares of the element's size. */
export async function dragOver(element: Locator, from: [number, number], to: [number, number]): Promise<void> {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element to drag over is not visible.');
  const { mouse } = element.page();
  await mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height);
  await mouse.down();
  await mouse.move(box.x + to[0] * box.width, box.y + to[1] * box.height, { steps: 8 });
  await mouse.up();
}

/** Keeps requests to the service waiting, until what it returns is called. */
export async function holdRequests(page: Page, isHeld: (request: Request) => boolean): Promise<() => Promise<void>> {
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const hold = async (route: Route): Promise<void> => {
    if (isHeld(route.request())) await held;
    // The page may have given it up by then.
    await route.continue().catch(() => undefined);
  };
  await page.route('**/api/**', hold);
  return async () => {
    letGo();
    await page.unroute('**/api/**', hold);
  };
}

/** Two fingers on the middle of the element, from one distance to another, in pixels. */
export async function pinch(element: Locator, from: number, to: number): Promise<void> {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element to pinch is not visible.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const session = await element.page().context().newCDPSession(element.page());
  const fingers = (distance: number) => [
    { x: x - distance / 2, y, id: 0 },
    { x: x + distance / 2, y, id: 1 },
  ];
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: ReturnType<typeof fingers>) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  // One finger is always first.
  await send('touchStart', fingers(from).slice(0, 1));
  await send('touchStart', fingers(from));
  for (let step = 1; step <= 5; step++) await send('touchMove', fingers(from + ((to - from) * step) / 5));
  await send('touchEnd', []);
  await session.detach();
}

/** One finger over the element, between two places given as shares of its size. */
export async function swipe(
  element: Locator,
  from: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element to swipe over is not visible.');
  const session = await element.page().context().newCDPSession(element.page());
  const at = (part: number) => ({
    x: box.x + box.width * (from[0] + (to[0] - from[0]) * part),
    y: box.y + box.height * (from[1] + (to[1] - from[1]) * part),
    id: 0,
  });
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: ReturnType<typeof at>[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', [at(0)]);
  for (let step = 1; step <= 6; step++) await send('touchMove', [at(step / 6)]);
  await send('touchEnd', []);
  await session.detach();
}

/** What axe finds against WCAG 2.2 A and AA, serious and worse, with the elements concerned. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated, not added as an element: the page's own policy lets no other script in.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource);
  const violations = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then((found) => found.violations)`,
  )) as { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`));
}
