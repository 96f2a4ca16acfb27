import { parseJson } from '../base/parse-json.ts';
import { type Fields, isFields } from '../json/fields.ts';

const FENCE = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/;

/** The JSON object that a model answered, with or without a code fence around it. Throws if it is anything else. */
export function readJsonAnswer(answer: string): Fields {
  const fields = parseJson(FENCE.exec(answer)?.[1] ?? answer);
  if (!isFields(fields)) throw new TypeError('The answer of the model is not a JSON object.');
  return fields;
}
