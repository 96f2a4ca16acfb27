// The faults that are tried under load, and how each is caused.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Load } from './drive.ts';
import type { Pooler } from './pooler.ts';
import type { Program } from './program.ts';
import type { Stage, StageOptions } from './stage.ts';

interface Scene {
  readonly stage: Stage;
  readonly one: Program;
  readonly two: Program;
  readonly load: Load;
  /** Latency between gateway and database in milliseconds, in each direction. */
  readonly delay: { value: number };
  readonly pooler: Pooler | undefined;
}

export interface Fault {
  readonly name: string;
  readonly stage?: StageOptions;
  /** Whether replicas reach the database through PgBouncer. */
  readonly isPooled?: boolean;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Causes the fault, and ends it again. */
  readonly strike: (scene: Scene) => Promise<void>;
  /** Seconds of load after the fault. */
  readonly after?: number;
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of a replica in the middle of calls',
    extra: { wait: 20 },
    async strike({ one, stage }) {
      one.kill();
      stage.replicas.splice(stage.replicas.indexOf(one), 1);
      await pause(1000);
      await stage.replica();
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    async strike({ stage }) {
      stage.postgres.kill();
      await pause(1000);
      await stage.postgres.restart();
    },
  },
  {
    name: 'kill -9 of Redis',
    async strike({ stage }) {
      stage.redis?.kill('SIGKILL');
      await pause(1500);
      stage.restartRedis();
    },
  },
  {
    name: 'Redis flushed',
    async strike({ stage }) {
      for (let time = 0; time < 10; time++) {
        stage.tellRedis('FLUSHALL');
        await pause(100);
      }
    },
  },
  {
    name: 'no Redis at all',
    stage: { redis: false },
    strike: () => pause(1000),
  },
  {
    name: 'kill -9 of the server',
    async strike({ stage }) {
      for (let time = 0; time < 3; time++) {
        await stage.restartUpstream();
        await pause(300);
      }
    },
  },
  {
    name: 'PostgreSQL slow: half a second each way',
    async strike({ delay }) {
      delay.value = 500;
      await pause(3000);
      delay.value = 0;
    },
  },
  {
    name: 'PostgreSQL silent: nothing comes back for six seconds',
    async strike({ delay }) {
      delay.value = 6000;
      await pause(6500);
      delay.value = 0;
      await pause(6500);
    },
  },
  {
    name: 'PostgreSQL read-only',
    async strike({ stage }) {
      stage.postgres.set('alter system set default_transaction_read_only = on');
      await pause(1500);
      stage.postgres.set('alter system reset default_transaction_read_only');
    },
  },
  {
    name: 'PostgreSQL full: no room on its disk',
    stage: { room: 220 },
    async strike({ stage }) {
      const ballast = `${stage.postgres.folder}/ballast`;
      try {
        for (let size = 0; ; size++) writeFileSync(`${ballast}${size % 1000}`, Buffer.alloc(1024 * 1024));
      } catch {
        // The disk is full.
      }
      await pause(2000);
      for (let size = 0; size < 1000; size++) rmSync(`${ballast}${size}`, { force: true });
      await stage.postgres.restart().catch(() => undefined);
    },
    after: 4,
  },
  {
    name: 'connections to the server cut in the middle of a body',
    async strike({ load }) {
      for (let time = 0; time < 50; time++)
        await load.call(`cut-${time}`, 'read', { n: time, bytes: 20_000, cut: true, poison: undefined });
    },
  },
  {
    name: "a replica's clock jumps a day ahead, and back",
    async strike({ one, two }) {
      for (const replica of [one, two, one]) {
        replica.kill('SIGUSR2');
        await pause(700);
      }
    },
  },
  {
    name: 'the threads of a replica killed in the middle of calls',
    async strike({ one, two }) {
      for (const replica of [one, two, one]) {
        replica.killThreads();
        await pause(700);
      }
    },
  },
  {
    name: 'kill -9 of PgBouncer',
    isPooled: true,
    strike: async ({ pooler }) => pooler?.restart(1500),
  },
  {
    name: 'a snapshot of the database that stays open for ten seconds',
    strike: ({ stage }) => stage.postgres.underSnapshot(() => pause(10_000)),
  },
  {
    name: 'Redis without room on its disk',
    async strike({ stage }) {
      const folder = mkdtempSync(join(tmpdir(), 'sallyport-full-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
      try {
        writeFileSync(join(folder, 'ballast'), Buffer.alloc(60 * 1024));
        stage.tellRedis(`CONFIG SET dir ${folder}`, 'CONFIG SET save "1 1"');
        await pause(4000);
        stage.tellRedis('CONFIG SET save ""', `CONFIG SET dir ${tmpdir()}`);
        await pause(1000);
      } finally {
        execFileSync('umount', ['-l', folder]);
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    name: '10,000 open conversations',
    async strike({ load }) {
      await load.stop();
      let next = 0;
      const open = async (): Promise<void> => {
        for (let index = next++; index < 10_000; index = next++) {
          const [conversation, to] = [`open-${index}`, `eve-open-${index}@evil.example`];
          const { type, text } = await load.callUntilAnswered(conversation, 'read', { poison: to, n: index });
          if (type === 'framed') load.tainted.push({ conversation, to });
          else load.problems.push(`conversation ${index} could not read: ${type} ${text}`);
        }
      };
      await Promise.all(Array.from({ length: 32 }, open));
    },
  },
];
