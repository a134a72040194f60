/** A keyboard whose keys have the times that a spec gives them, however busy the machine is: a hardware scanner's, or a person's. */
import type { Page } from '@playwright/test';

/** The keys that are not what they write. */
const NAMED: Readonly<Record<string, { key: string; text?: string; windowsVirtualKeyCode: number }>> = {
  '\n': { key: 'Enter', text: '\r', windowsVirtualKeyCode: 13 },
  '\t': { key: 'Tab', windowsVirtualKeyCode: 9 },
  ' ': { key: ' ', text: ' ', windowsVirtualKeyCode: 32 },
};

/** Milliseconds from one key to the next. */
const [SCANNER, PERSON] = [1, 120];

export const keyboardOf = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  let at = 0;
  const type = async (text: string, gap: number): Promise<void> => {
    const sent: Promise<unknown>[] = [];
    for (const key of text) {
      at += gap;
      const what = { ...(NAMED[key] ?? { key, text: key }), timestamp: at / 1000 };
      // In their order, but none waits for the one before: a call that is under way meanwhile has its limit.
      sent.push(
        session.send('Input.dispatchKeyEvent', { type: what.text ? 'keyDown' : 'rawKeyDown', ...what }),
        session.send('Input.dispatchKeyEvent', { ...what, type: 'keyUp' }),
      );
    }
    await Promise.all(sent);
  };
  const after = (pause: number): void => {
    at = Math.max(at, Date.now()) + pause;
  };
  return {
    scan: (text: string) => {
      after(300);
      return type(text, SCANNER);
    },
    /** At once after the last key, as a scanner that reads twice does. */
    scanAgain: (text: string) => type(text, SCANNER),
    /** Seconds after all that was pressed and seen. */
    scanLater: (text: string) => {
      after(5_000);
      return type(text, SCANNER);
    },
    /** As a person does. */
    press: (text: string) => {
      after(300);
      return type(text, PERSON);
    },
  };
};
