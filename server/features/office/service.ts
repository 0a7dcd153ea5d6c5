import { resealFactors } from './factor/factor.ts';
import { officeGate } from './factor/gate.ts';
import {
  correctDemand,
  decideDemand,
  liftGag,
  listDemands,
  recordDemand,
} from './legal/demands.ts';
import { readLog } from './log/log.ts';
import { listCases, readCase } from './queue/service.ts';
import { decideRepresentative } from './representatives.ts';
import { appoint, dismiss, listStaff, resetFactor } from './staff/appointments.ts';
import { mailStaffChange } from './staff-mail.ts';

/** For commands and the access policy. */
export {
  appoint,
  correctDemand,
  decideDemand,
  decideRepresentative,
  dismiss,
  liftGag,
  listCases,
  listDemands,
  listStaff,
  mailStaffChange,
  officeGate,
  readCase,
  readLog,
  recordDemand,
  resealFactors,
  resetFactor,
};
