-- `plan`, `rules` and `steering` are JSON that others read and write. `verdicts`: the number that
-- was given last; those above `mark` are judged. `revision` rises when somebody changes the plan,
-- the rules or the steering.
CREATE TABLE rollout (
  tenant VARCHAR NOT NULL,
  id VARCHAR NOT NULL,
  title VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  plan VARCHAR NOT NULL,
  rules VARCHAR NOT NULL,
  steering VARCHAR NOT NULL,
  state VARCHAR NOT NULL,
  priority INTEGER NOT NULL,
  waves INTEGER DEFAULT 0 NOT NULL,
  current_wave INTEGER DEFAULT 0 NOT NULL,
  mark BIGINT DEFAULT 0 NOT NULL,
  verdicts BIGINT DEFAULT 0 NOT NULL,
  created_by VARCHAR NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  start_at TIMESTAMP(3) WITH TIME ZONE,
  started_at TIMESTAMP(3) WITH TIME ZONE,
  ended_at TIMESTAMP(3) WITH TIME ZONE,
  outcome VARCHAR,
  wait_word VARCHAR,
  wait_sentence VARCHAR,
  wait_since TIMESTAMP(3) WITH TIME ZONE,
  wait_until TIMESTAMP(3) WITH TIME ZONE,
  revision BIGINT DEFAULT 1 NOT NULL,
  CONSTRAINT rollout_key PRIMARY KEY (tenant, id),
  CONSTRAINT rollout_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX rollout_newest ON rollout (tenant, created_at DESC, id DESC);
CREATE INDEX rollout_in_state ON rollout (state, tenant, id);

-- Only drafts are ever removed, and their waves with them.
CREATE TABLE rollout_wave (
  tenant VARCHAR NOT NULL,
  rollout VARCHAR NOT NULL,
  number INTEGER NOT NULL,
  place INTEGER NOT NULL,
  title VARCHAR NOT NULL,
  size INTEGER NOT NULL,
  approved_by VARCHAR,
  approved_at TIMESTAMP(3) WITH TIME ZONE,
  remark VARCHAR,
  began_at TIMESTAMP(3) WITH TIME ZONE,
  last_ended_at TIMESTAMP(3) WITH TIME ZONE,
  done_at TIMESTAMP(3) WITH TIME ZONE,
  done_by VARCHAR,
  CONSTRAINT rollout_wave_key PRIMARY KEY (tenant, rollout, number),
  CONSTRAINT rollout_wave_of_rollout FOREIGN KEY (tenant, rollout)
    REFERENCES rollout (tenant, id) ON DELETE CASCADE
);

-- No reference to the device or the upgrade: what happened stays when they are gone. `reverts`:
-- how often its upgrade was to be taken back. `ahead`: was started before its window, to prepare,
-- and has not been told to go on. Without a `verdict_number` a verdict is not judged.
-- `started_before`: the try before the newest began.
CREATE TABLE rollout_target (
  tenant VARCHAR NOT NULL,
  rollout VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  wave INTEGER NOT NULL,
  position BIGINT NOT NULL,
  state VARCHAR NOT NULL,
  ahead BOOLEAN DEFAULT FALSE NOT NULL,
  attempt INTEGER DEFAULT 1 NOT NULL,
  upgrade VARCHAR,
  verdict VARCHAR,
  verdict_number BIGINT,
  touched BOOLEAN DEFAULT FALSE NOT NULL,
  error_code VARCHAR,
  error_class VARCHAR,
  error_text VARCHAR,
  started_at TIMESTAMP(3) WITH TIME ZONE,
  started_before TIMESTAMP(3) WITH TIME ZONE,
  ended_at TIMESTAMP(3) WITH TIME ZONE,
  not_before TIMESTAMP(3) WITH TIME ZONE,
  reverts INTEGER DEFAULT 0 NOT NULL,
  revert_upgrade VARCHAR,
  revert_outcome VARCHAR,
  CONSTRAINT rollout_target_key PRIMARY KEY (tenant, rollout, device),
  CONSTRAINT rollout_target_of_rollout FOREIGN KEY (tenant, rollout)
    REFERENCES rollout (tenant, id) ON DELETE CASCADE
);
-- With all that is counted several times a second.
CREATE INDEX rollout_target_turn
  ON rollout_target (tenant, rollout, state, wave, position, ahead, verdict);
CREATE INDEX rollout_target_of_device ON rollout_target (tenant, device, state);
CREATE INDEX rollout_target_judged ON rollout_target (tenant, rollout, verdict_number DESC, verdict);
CREATE INDEX rollout_target_verdict ON rollout_target (tenant, rollout, verdict, device);
CREATE INDEX rollout_target_started ON rollout_target (tenant, rollout, started_at);
CREATE INDEX rollout_target_before ON rollout_target (tenant, rollout, started_before);

-- `request` is the id of what a person asked for, so that asking twice is answered once.
CREATE TABLE rollout_decision (
  tenant VARCHAR NOT NULL,
  rollout VARCHAR NOT NULL,
  number BIGINT NOT NULL,
  decided_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  wave INTEGER NOT NULL,
  decision VARCHAR NOT NULL,
  word VARCHAR NOT NULL,
  sentence VARCHAR NOT NULL,
  inputs VARCHAR NOT NULL,
  who VARCHAR NOT NULL,
  request VARCHAR,
  CONSTRAINT rollout_decision_key PRIMARY KEY (tenant, rollout, number),
  CONSTRAINT rollout_decision_once UNIQUE (tenant, rollout, request),
  CONSTRAINT rollout_decision_of_rollout FOREIGN KEY (tenant, rollout)
    REFERENCES rollout (tenant, id) ON DELETE CASCADE
);
CREATE INDEX rollout_decision_newest ON rollout_decision (tenant, rollout, number DESC);

CREATE TABLE rollout_left_out (
  tenant VARCHAR NOT NULL,
  rollout VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  reason VARCHAR NOT NULL,
  detail VARCHAR NOT NULL,
  CONSTRAINT rollout_left_out_key PRIMARY KEY (tenant, rollout, device),
  CONSTRAINT rollout_left_out_of_rollout FOREIGN KEY (tenant, rollout)
    REFERENCES rollout (tenant, id) ON DELETE CASCADE
);

-- The upgrade that it takes back; then `package` and `version` are of what is taken back.
ALTER TABLE upgrade ADD COLUMN revert_of VARCHAR;
