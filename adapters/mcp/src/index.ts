export type { Block } from './block.ts';
export { type ToolsOfOptions, toolsOf } from './listing.ts';
export { META } from './meta.ts';
export { contentOf, partsOf } from './part.ts';
export { type Protection, type ProtectOptions, protect, type TransportOptions } from './protect.ts';
export { type MemoryHandlers, type MemoryStatus, type ReadResult, type ServeOptions, serve } from './serve.ts';
export type { ServedResponse, ServerLike, TaggedResponse, TagOptions } from './tag-server.ts';
export type { TransportLike } from './transport.ts';
