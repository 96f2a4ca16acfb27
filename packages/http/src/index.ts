export {
  isJson,
  responseTagger,
  type ServedBody,
  type ServedRequest,
  type TagBody,
  type TaggedBody,
  type TaggedResponse,
  type TagResponsesOptions,
} from './response-tagger.ts';
