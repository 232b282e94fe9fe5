-- Which step waits: for one an agent that stands by is enough, for another it has to work.
ALTER TABLE expectation ADD COLUMN step VARCHAR DEFAULT 'await-heartbeat' NOT NULL;

-- The agent that is to make way for another; empty: none.
ALTER TABLE expectation ADD COLUMN makes_way VARCHAR DEFAULT '' NOT NULL;
