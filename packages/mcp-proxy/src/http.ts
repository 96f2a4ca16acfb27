export type { UpstreamAnswer, UpstreamMessage } from './http/answer.ts';
export { EventReader, eventText, readEvents, type ServerEvent } from './http/events.ts';
export { type FailureCode, UpstreamError } from './http/failure.ts';
export { type GuardedFetch, type GuardedRequest, type GuardedResponse, textOf } from './http/fetch.ts';
export { checkedHeaders, isVisibleText } from './http/header.ts';
export { type HttpRequest, HttpUpstream, type HttpUpstreamOptions } from './http/http-upstream.ts';
