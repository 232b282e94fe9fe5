-- Which step waits: for one an agent that stands by is enough, for another it has to work.
ALTER TABLE expectation ADD COLUMN step VARCHAR DEFAULT 'await-heartbeat' NOT NULL;
