-- The run of its workflow in Temporal: every upgrade of a device has the same workflow id. Absent in
-- rows that are older than this.
ALTER TABLE upgrade ADD COLUMN run VARCHAR;
