import { configDefaults, defineConfig } from 'vitest/config';
import { mutationPlugins } from './mutations/plugin.ts';

const conditions = ['@sallyport/source'];
const ALL = ['{packages,adapters,apps,contrib}/*/test/**/*.test.{ts,tsx}', 'evals/live/test/*.test.ts'];
const CORE = 'packages/{core,decode}/test/**/*.test.ts';
// Its HTTP server replaces the Request and Response of the process.
const GATEWAY = 'apps/gateway/test/**/*.test.ts';
// Starts a browser and a gateway in each file, so that it has a job of its own.
const CONSOLE = 'apps/console/test/**/*.test.ts';
const COMMAND_LINE = 'apps/cli/test/**/*.test.ts';
// Files that replace modules, or that test state of the whole process: each gets its own copy of the modules, which takes seconds.
const ISOLATED = [
  'contrib/sandbox/test/**/*.test.ts',
  'apps/cli/test/{approve-collision,check-files,check-json}.test.ts',
  'packages/classifier/test/weights.test.ts',
];
// Soaks, which take minutes. SALLYPORT_NIGHTLY=on adds them.
const NIGHTLY = ['apps/gateway/test/serve/units.test.ts'];

// Browsers, databases and processes on a busy machine: CI tries a failed test once more, and its report names it.
const retry = process.env.CI ? 1 : 0;

export default defineConfig({
  plugins: mutationPlugins(),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Only a test that hangs fails by time: a busy machine is slow. Tests of speed compare two measurements of one run.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000 } },
    maxWorkers: '100%',
    exclude: [...configDefaults.exclude, ...(process.env.SALLYPORT_NIGHTLY === 'on' ? [] : NIGHTLY)],
    globalSetup: ['./vitest.build.ts'],
    setupFiles: ['./vitest.setup.ts'],
    projects: [
      { extends: true, test: { name: 'core', include: [CORE], isolate: false } },
      { extends: true, test: { name: 'gateway', include: [GATEWAY], isolate: false, retry } },
      {
        extends: true,
        test: {
          name: 'others',
          include: ALL,
          exclude: [CORE, GATEWAY, CONSOLE, COMMAND_LINE, ...ISOLATED],
          isolate: false,
          retry,
        },
      },
      { extends: true, test: { name: 'cli', include: [COMMAND_LINE], exclude: ISOLATED, isolate: false, retry } },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      // A test in a browser has many steps, and a busy machine takes long for each.
      {
        extends: true,
        test: {
          name: 'console',
          include: [CONSOLE],
          isolate: false,
          retry,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/{core,decode}/src/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
