/** WebKitGTK on a virtual screen. */
import type { Readable } from 'node:stream';
import { freePort } from '../support/free-port.ts';
import { type Program, startProgram } from './process.ts';
import { isReady, openSession, type Session } from './webdriver.ts';

/** How long a program may take to start, in ms. */
const START_TIMEOUT = 20_000;

/** Tall enough to show the whole form: the driver scrolls a frame, but not the page around it. In pixels. */
const SCREEN = { width: 900, height: 1500 };

/** `path` is the browser; see `findWebKit`. */
export type WebKitFiles = { path: string; driver: string; screen: string };

export type OpenedWebKit = {
  session: Session;
  close(): Promise<void>;
};

const within = async <Value>(what: string, program: Program, done: Promise<Value>): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const say = () =>
      reject(
        new Error(`${what} took longer than ${START_TIMEOUT} ms. It said:\n${program.said() || 'nothing'}`),
      );
    timer = setTimeout(say, START_TIMEOUT);
  });
  try {
    return await Promise.race([done, program.ended, late]);
  } finally {
    clearTimeout(timer);
  }
};

const isReadable = (pipe: unknown): pipe is Readable =>
  typeof pipe === 'object' && pipe !== null && 'read' in pipe && 'setEncoding' in pipe;

/**
 * The X server takes the first free display and prints its number. Without `-noreset` it restarts whenever the last
 * browser leaves, and refuses connections meanwhile.
 */
const startScreen = async (path: string) => {
  const { width, height } = SCREEN;
  const args = `-displayfd 3 -screen 0 ${width}x${height}x24 -nolisten tcp -noreset`;
  const program = startProgram(path, args.split(' '), { pipes: 1 });
  const pipe = program.child.stdio[3];
  try {
    const number = await within(
      'The screen',
      program,
      new Promise<string>((resolve, reject) => {
        if (!isReadable(pipe)) return reject(new Error(`${path} has no pipe to name its display in.`));
        let said = '';
        pipe.on('data', (text: unknown) => {
          said += `${text}`;
          if (said.endsWith('\n')) resolve(said.trim());
        });
      }),
    );
    return { program, display: `:${number}` };
  } catch (error) {
    await program.stop();
    throw error;
  }
};

const startDriver = async (path: string, display: string) => {
  const port = await freePort();
  const program = startProgram(path, [`--port=${port}`], {
    env: {
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      // Its sandbox needs rights that a container seldom has, and refuses to run as root.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  });
  const address = `http://127.0.0.1:${port}`;
  const answers = async () => {
    while (program.isRunning() && !(await isReady(address))) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  try {
    await within('The driver', program, answers());
    return { program, address };
  } catch (error) {
    await program.stop();
    throw error;
  }
};

/** Starts the screen; each browser on it has a separate driver. */
export const startWebKit = async (files: WebKitFiles) => {
  const screen = await startScreen(files.screen);
  return {
    /** Opens a browser with a new profile. */
    async open(): Promise<OpenedWebKit> {
      const { program, address } = await startDriver(files.driver, screen.display);
      try {
        const session = await openSession(address, {
          'webkitgtk:browserOptions': {
            binary: files.path,
            args: ['--automation'],
          },
        });
        await session.resize(SCREEN.width, SCREEN.height);
        return {
          session,
          async close() {
            await session.close();
            await program.stop();
          },
        };
      } catch (error) {
        await program.stop();
        throw new Error(`WebKit did not open: ${error}. The driver said:\n${program.said() || 'nothing'}`);
      }
    },
    stop: () => screen.program.stop(),
  };
};

export type WebKit = Awaited<ReturnType<typeof startWebKit>>;
