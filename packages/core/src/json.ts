export { GrowingBody } from './base/growing-body.ts';
export {
  endOfString,
  hasDuplicateNames,
  type JsonMember,
  type JsonNode,
  type JsonRange,
  type JsonText,
  memberNamed,
  memberOf,
  membersAt,
  readJson,
  startOfJson,
  stringAt,
  within,
} from './base/json-positions.ts';
export { parseJson, readValue } from './base/parse-json.ts';
