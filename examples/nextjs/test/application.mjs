// Starts the built application with a database of its own, and a browser.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { chromium } from 'playwright-core';

const folder = fileURLToPath(new URL('..', import.meta.url));
/** Milliseconds that the application has to end by itself. */
const PATIENCE = 3000;
const SERVER = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** A new, empty database. */
export async function createDatabase() {
  const name = `sallyport_nextjs_${process.pid}_${Date.now()}`;
  const client = new pg.Client(SERVER);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  const url = new URL(SERVER);
  url.pathname = name;
  const pool = new pg.Pool({ connectionString: url.href });
  // Connections that are closing when the database is dropped.
  pool.on('error', () => undefined);
  return {
    url: url.href,
    query: (...given) => pool.query(...given),
    async drop() {
      await pool.end();
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.end();
    },
  };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The application on a port; `restart` ends its process and starts another one. */
export async function startApplication(databaseUrl) {
  if (!existsSync(`${folder}/.next/BUILD_ID`))
    throw new Error('The application is not built. Run npm run build first.');
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { OPENAI_API_KEY: _, ...env } = process.env;
  let child;
  async function start() {
    child = spawn(process.execPath, ['start.mjs', 'start', '-H', '127.0.0.1', '-p', String(port)], {
      cwd: folder,
      env: { ...env, DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'ignore', 'inherit'],
      // A group of its own, so that Next.js ends with the program that started it.
      detached: true,
    });
    for (;;) {
      if (child.exitCode !== null) throw new Error(`The application ended with ${child.exitCode}.`);
      if (
        await fetch(`${origin}/api/chats/none/held`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  /** Next.js waits for every connection, also for one that the browser opened and never used: after a while it is killed. */
  async function stop() {
    const { promise: ended, resolve } = Promise.withResolvers();
    child.on('exit', resolve);
    process.kill(-child.pid, 'SIGTERM');
    const patience = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), PATIENCE);
    await ended;
    clearTimeout(patience);
  }
  await start();
  return {
    origin,
    stop,
    async restart() {
      await stop();
      await start();
    },
  };
}

export function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
