import { defineConfig } from 'vitest/config';
import { mutationPlugins } from './tools/mutation-plugin.ts';

const conditions = ['@sallyport/source'];
export default defineConfig({
  plugins: mutationPlugins(),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: ['{packages,adapters}/*/test/**/*.test.ts'] },
});
