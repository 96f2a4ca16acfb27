import { tsImport } from 'tsx/esm/api';

// The package ships its TypeScript only.
const { RebuffSdk } = await tsImport('rebuff/src/index.ts', import.meta.url);
const sdk = new RebuffSdk({ openai: { apikey: 'none', model: 'none' }, pinecone: {} });

export const adapter = {
  name: 'rebuff',
  package: 'rebuff',
  note: 'vector and language model checks are off: the heuristic alone',
  configurations: [
    {
      name: 'heuristic over 0.75 (default)',
      detect: async (text) =>
        (await sdk.detectInjection({ userInput: text, runVectorCheck: false, runLanguageModelCheck: false }))
          .injectionDetected,
    },
  ],
};
