import { BANK_TASKS } from './bank-tasks.ts';
import { CALENDAR_TASKS } from './calendar-tasks.ts';
import { FILE_TASKS } from './file-tasks.ts';
import { MAIL_TASKS } from './mail-tasks.ts';
import { MIXED_TASKS } from './mixed-tasks.ts';
import { SHOP_TASKS } from './shop-tasks.ts';
import type { Task } from './task.ts';
import { WEB_TASKS } from './web-tasks.ts';

export const TASKS: readonly Task[] = [
  ...MAIL_TASKS,
  ...CALENDAR_TASKS,
  ...BANK_TASKS,
  ...FILE_TASKS,
  ...WEB_TASKS,
  ...SHOP_TASKS,
  ...MIXED_TASKS,
];
