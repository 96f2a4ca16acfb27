import { createBoundary } from 'sallyport';
import { pool } from './database.ts';
import { approvalStore, heldStore } from './stores.ts';

// #region boundary
export const held = heldStore(pool);
export const boundary = createBoundary({ approvals: approvalStore(pool), held });
// #endregion boundary
