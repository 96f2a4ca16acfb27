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
export { responseTags, type TagChoice, type TagRules, type TagValue } from './response-tags.ts';
export { FIELD_NOTICE, type TagFieldsOptions, type TaggedFields, tagFields } from './tag-fields.ts';
