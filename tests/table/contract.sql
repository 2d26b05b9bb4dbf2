-- snapshot_graph
-- Snapshots of <table>, from the metadata file: sequence numbers are in no metadata table
WITH
metadata AS (
  SELECT
    from_json(
      CAST(content AS STRING),
      'snapshots ARRAY<STRUCT<
         `snapshot-id`: BIGINT,
         `parent-snapshot-id`: BIGINT,
         `sequence-number`: BIGINT,
         `timestamp-ms`: BIGINT,
         `manifest-list`: STRING,
         `schema-id`: INT,
         `first-row-id`: BIGINT,
         summary: MAP<STRING, STRING>>>,
       `current-snapshot-id` BIGINT,
       refs MAP<STRING, STRUCT<`snapshot-id`: BIGINT>>',
      map('mode', 'FAILFAST')
    ) AS document
  FROM binaryFile.`<metadata file>`
),
snapshots AS (
  SELECT
    s.*,
    exists(map_keys(s.summary), key -> key RLIKE '^(added|deleted|removed|total|manifests)-') AS counts
  FROM metadata
  LATERAL VIEW explode(document.snapshots) AS s
),
refs AS (
  SELECT name, ref.`snapshot-id` AS snapshot_id
  FROM metadata
  LATERAL VIEW explode(document.refs) AS name, ref
  UNION -- version 1 files may leave main out
  SELECT 'main' AS name, document.`current-snapshot-id` AS snapshot_id
  FROM metadata
  WHERE document.`current-snapshot-id` <> -1
),
named AS (
  SELECT snapshot_id, sort_array(collect_list(name)) AS refs
  FROM refs
  GROUP BY snapshot_id
)
SELECT
  s.`snapshot-id` AS snapshot_id,
  s.`parent-snapshot-id` AS parent_id,
  coalesce(s.`sequence-number`, 0) AS sequence_number,
  timestamp_millis(s.`timestamp-ms`) AS committed_at,
  s.summary['operation'] AS operation,
  coalesce(named.refs, array()) AS refs,
  CASE
    WHEN s.`parent-snapshot-id` IS NULL THEN 'none'
    WHEN parent.`snapshot-id` IS NULL THEN 'expired'
    ELSE 'present'
  END AS parent_state,
  try_cast(regexp_extract(s.`manifest-list`, 'snap-[0-9]+-([0-9]+)-', 1) AS INT) AS attempt,
  s.`schema-id` AS schema_id,
  CASE
    WHEN s.summary['added-data-files'] IS NULL THEN IF(s.counts, 0, NULL)
    WHEN s.summary['added-data-files'] RLIKE '^[0-9]+$' THEN try_cast(s.summary['added-data-files'] AS BIGINT)
  END AS added_data_files,
  CASE
    WHEN s.summary['deleted-data-files'] IS NULL THEN IF(s.counts, 0, NULL)
    WHEN s.summary['deleted-data-files'] RLIKE '^[0-9]+$' THEN try_cast(s.summary['deleted-data-files'] AS BIGINT)
  END AS removed_data_files,
  CASE
    WHEN s.summary['added-delete-files'] IS NULL THEN IF(s.counts, 0, NULL)
    WHEN s.summary['added-delete-files'] RLIKE '^[0-9]+$' THEN try_cast(s.summary['added-delete-files'] AS BIGINT)
  END AS added_delete_files,
  CASE
    WHEN s.summary['removed-delete-files'] IS NULL THEN IF(s.counts, 0, NULL)
    WHEN s.summary['removed-delete-files'] RLIKE '^[0-9]+$' THEN try_cast(s.summary['removed-delete-files'] AS BIGINT)
  END AS removed_delete_files,
  CASE
    WHEN s.summary['added-records'] IS NULL THEN IF(s.counts, 0, NULL)
    WHEN s.summary['added-records'] RLIKE '^[0-9]+$' THEN try_cast(s.summary['added-records'] AS BIGINT)
  END AS added_records,
  CASE
    WHEN s.summary['deleted-records'] IS NULL THEN IF(s.counts, 0, NULL)
    WHEN s.summary['deleted-records'] RLIKE '^[0-9]+$' THEN try_cast(s.summary['deleted-records'] AS BIGINT)
  END AS deleted_records,
  s.`first-row-id` AS first_row_id,
  s.`manifest-list` AS manifest_list
FROM snapshots AS s
LEFT JOIN snapshots AS parent ON parent.`snapshot-id` = s.`parent-snapshot-id`
LEFT JOIN named ON named.snapshot_id = s.`snapshot-id`
ORDER BY sequence_number, committed_at


-- commit
-- Files that snapshot <snapshot 2> of <table> added and removed
SELECT
  data_file.file_path,
  data_file.content_offset,
  CASE
    WHEN data_file.content = 0 THEN 'data'
    WHEN data_file.content = 2 THEN 'equality deletes'
    WHEN upper(data_file.file_format) = 'PUFFIN' THEN 'deletion vector'
    ELSE 'position deletes'
  END AS content,
  CASE status WHEN 1 THEN 'added' WHEN 2 THEN 'removed' END AS change,
  data_file.spec_id,
  data_file.partition,
  data_file.record_count,
  data_file.file_size_in_bytes,
  sequence_number AS data_sequence_number,
  file_sequence_number
FROM <table>.entries VERSION AS OF <snapshot 2>
WHERE snapshot_id = <snapshot 2> AND status IN (1, 2)
ORDER BY change DESC, file_path, content_offset


-- boundary
-- Files that only one of two snapshots of <table> has: removed ones <snapshot 1>, added ones <snapshot 2>
WITH
live_at_start AS (
  SELECT * FROM <table>.entries VERSION AS OF <snapshot 1> WHERE status < 2
),
live_at_end AS (
  SELECT * FROM <table>.entries VERSION AS OF <snapshot 2> WHERE status < 2
),
changed AS (
  SELECT 'removed' AS change, here.* FROM live_at_start AS here
  LEFT ANTI JOIN live_at_end AS there
  ON here.data_file.file_path = there.data_file.file_path
    AND here.data_file.content_offset <=> there.data_file.content_offset
  UNION ALL
  SELECT 'added' AS change, here.* FROM live_at_end AS here
  LEFT ANTI JOIN live_at_start AS there
  ON here.data_file.file_path = there.data_file.file_path
    AND here.data_file.content_offset <=> there.data_file.content_offset
)
SELECT
  data_file.file_path,
  data_file.content_offset,
  CASE
    WHEN data_file.content = 0 THEN 'data'
    WHEN data_file.content = 2 THEN 'equality deletes'
    WHEN upper(data_file.file_format) = 'PUFFIN' THEN 'deletion vector'
    ELSE 'position deletes'
  END AS content,
  change,
  data_file.spec_id,
  data_file.partition,
  data_file.record_count,
  data_file.file_size_in_bytes,
  sequence_number AS data_sequence_number,
  file_sequence_number
FROM changed
ORDER BY change DESC, file_path, content_offset


-- compare
-- Files that only one of two snapshots of <table> has, by partition: left <snapshot 1>, right <snapshot 2>
WITH
live_left AS (
  SELECT data_file FROM <table>.entries VERSION AS OF <snapshot 1> WHERE status < 2
),
live_right AS (
  SELECT data_file FROM <table>.entries VERSION AS OF <snapshot 2> WHERE status < 2
),
only AS (
  SELECT 'left' AS side, here.data_file FROM live_left AS here
  LEFT ANTI JOIN live_right AS there
  ON here.data_file.file_path = there.data_file.file_path
    AND here.data_file.content_offset <=> there.data_file.content_offset
  UNION ALL
  SELECT 'right' AS side, here.data_file FROM live_right AS here
  LEFT ANTI JOIN live_left AS there
  ON here.data_file.file_path = there.data_file.file_path
    AND here.data_file.content_offset <=> there.data_file.content_offset
),
files AS (
  SELECT
    CASE
      WHEN data_file.content = 0 THEN 'data'
      WHEN data_file.content = 2 THEN 'equality deletes'
      WHEN upper(data_file.file_format) = 'PUFFIN' THEN 'deletion vector'
      ELSE 'position deletes'
    END AS content,
    data_file.partition,
    data_file.spec_id,
    count_if(side = 'left') AS left_files,
    sum(data_file.record_count) FILTER (WHERE side = 'left') AS left_rows,
    count_if(side = 'right') AS right_files,
    sum(data_file.record_count) FILTER (WHERE side = 'right') AS right_rows
  FROM only
  GROUP BY ALL
)
SELECT
  'files' AS area,
  content AS name,
  partition,
  nullif(left_files, 0) AS left,
  nullif(right_files, 0) AS right,
  concat_ws(' | ',
    '+' || nullif(right_files, 0) || ' files +' || right_rows || ' rows',
    '-' || nullif(left_files, 0) || ' files -' || left_rows || ' rows'
  ) AS change,
  spec_id
FROM files
ORDER BY spec_id, partition, name


-- changelog
-- Rows that the commits changed, without those that were only carried over
WITH versions AS (
SELECT * FROM (
WITH life AS ( -- data files in question: since which commit of the line, until which, and at which they are read
  SELECT * FROM VALUES
    ('<data file>', 1, 3, 1, 1L, 0, 'region=EU')
  AS life (path, since, until, read_at, sequence_number, spec, place)
),
mask AS ( -- deletes that can mask rows of these files: since which commit of the line, and until which
  SELECT * FROM VALUES
    ('<data file>', '<data file>', 2, 3, 2L, 0, 'region=EU', false, false)
  AS mask (delete_path, names, since, until, sequence_number, spec, place, is_vector, reaches_all)
),
position_mask AS ( -- between which commits a position is in a delete that applies to its file
  SELECT life.path, life.since, held.pos, collect_list(named_struct('since', mask.since, 'until', mask.until)) AS spans
  FROM (
    SELECT file_path, pos, delete_file_path FROM <table>.position_deletes VERSION AS OF <snapshot 2>
    WHERE delete_file_path IN ('<data file>')
  ) AS held
  JOIN mask ON mask.delete_path = held.delete_file_path AND (mask.names IS NULL OR mask.names = held.file_path)
  JOIN life ON life.path = held.file_path AND coalesce(life.sequence_number <= mask.sequence_number, true)
    AND (mask.names IS NOT NULL OR (mask.spec = life.spec AND mask.place = life.place))
    AND life.since < mask.until AND mask.since < life.until
  GROUP BY life.path, life.since, held.pos
),
rows_read AS ( -- each file once, in a snapshot in which it is live
SELECT /*+ COALESCE(8) */ * FROM (
SELECT * FROM (
    SELECT id AS id, region AS region, _file, _pos, _deleted, 1 AS _read_at
    FROM <table> VERSION AS OF <snapshot 1>
    WHERE id >= 0 AND id <= 2 AND region = 'EU' AND _file IN ('<data file>')
  )
)
),
masked AS ( -- the rows with the spans in which the deletes of the line mask them, in order
  SELECT rows_read.*, life.since AS _since, life.until AS _until, sort_array(concat(
    coalesce(position_mask.spans, array()))) AS _masks
  FROM rows_read
  JOIN life ON life.path = rows_read._file AND life.read_at = rows_read._read_at
  LEFT JOIN position_mask ON position_mask.path = life.path AND position_mask.since = life.since
    AND position_mask.pos = rows_read._pos
),
merged AS ( -- spans that overlap or touch are one
  SELECT id, region, _file, _pos, _deleted, _read_at, _since, _until, IF(size(_masks) < 2, _masks, aggregate(
    _masks, CAST(array() AS ARRAY<STRUCT<since: INT, until: INT>>), (merged, span) -> IF(
      span.since <= try_element_at(merged, -1).until,
      concat(slice(merged, 1, size(merged) - 1), array(named_struct(
        'since', try_element_at(merged, -1).since,
        'until', greatest(try_element_at(merged, -1).until, span.until)))),
      concat(merged, array(span))))) AS _masks
  FROM masked
),
seen AS ( -- the rows with the commits at which they came to be visible, and ceased to be; 0 is before the first
  SELECT id, region, _file, _pos, CASE
    -- masked where it was read, by no delete of the line: by one that was there all the time
    WHEN _deleted AND NOT exists(_masks, span -> span.since <= _read_at AND _read_at < span.until) THEN array()
    WHEN size(_masks) = 0
      THEN array(named_struct('at', _since, 'came', true), named_struct('at', _until, 'came', false))
    ELSE concat(
      IF(exists(_masks, span -> span.since <= _since AND _since < span.until),
        array(), array(named_struct('at', _since, 'came', true))),
      transform(filter(_masks, span -> span.since > _since AND span.since < _until),
        span -> named_struct('at', span.since, 'came', false)),
      transform(filter(_masks, span -> span.until > _since AND span.until < _until),
        span -> named_struct('at', span.until, 'came', true)),
      IF(exists(_masks, span -> span.since < _until AND _until <= span.until),
        array(), array(named_struct('at', _until, 'came', false))))
    END AS _events
  FROM merged
  WHERE _since NOT IN (0, 3) OR _until NOT IN (0, 3) OR size(_masks) > 0 -- not one that stayed, or moved
)
SELECT id, region, _events
FROM seen
)
),
together AS ( -- rows that may be equal, in one task
  SELECT /*+ REPARTITION(1, id, region) */ * FROM versions
),
counted AS ( -- how often each row left and came in each commit
  SELECT id, region, _change_ordinal, count_if(NOT _is_new) AS _gone, count_if(_is_new) AS _came
  FROM (
    SELECT id, region, _event.came AS _is_new, get(array(CAST(NULL AS INT), 0, 1), _event.at) AS _change_ordinal
    FROM together
    LATERAL VIEW explode(_events) events AS _event
  )
  WHERE _change_ordinal IS NOT NULL
  GROUP BY id, region, _change_ordinal
),
changes AS ( -- a row that left and came in one commit was only carried over
  SELECT id, region, IF(_came > _gone, 'INSERT', 'DELETE') AS _change_type, _change_ordinal,
    get(array(<snapshot 1>L, <snapshot 2>L), _change_ordinal) AS _commit_snapshot_id
  FROM counted
  LATERAL VIEW explode(sequence(1, abs(_came - _gone))) copies AS _copy
  WHERE _came <> _gone
)
SELECT id, region, _change_type, _change_ordinal, _commit_snapshot_id,
  get(array(1L, 2L), _change_ordinal) AS _commit_sequence_number
FROM changes

-- entries
-- Entries of the manifests of snapshot <snapshot 2>, as a reader sees them: what a manifest stores as null is filled in here
-- already. Which numbers are stored and which are inherited, and the number of a manifest, SQL cannot see
SELECT
  input_file_name() AS manifest_path,
  CASE
    WHEN data_file.content = 0 THEN 'data'
    WHEN data_file.content = 2 THEN 'equality deletes'
    WHEN upper(data_file.file_format) = 'PUFFIN' THEN 'deletion vector'
    ELSE 'position deletes'
  END AS content,
  CASE status WHEN 0 THEN 'EXISTING' WHEN 1 THEN 'ADDED' WHEN 2 THEN 'DELETED' END AS status,
  data_file.file_path,
  data_file.content_offset,
  snapshot_id,
  sequence_number,
  file_sequence_number,
  data_file.first_row_id,
  data_file.spec_id,
  data_file.partition,
  data_file.record_count,
  data_file.file_size_in_bytes
FROM <table>.entries VERSION AS OF <snapshot 2>
ORDER BY manifest_path, file_path, content_offset


-- retries
-- Attempts of commits, from the names of their manifest lists (snap-ID-ATTEMPT-UUID.avro), a habit of Java writers. A
-- manifest of added files alone was written in the first attempt and used again in the others. Sequence numbers are in
-- no metadata table
SELECT
  s.snapshot_id,
  s.committed_at,
  nullif(try_cast(regexp_extract(s.manifest_list, 'snap-[0-9]+-([0-9]+)-', 1) AS INT), 0) AS attempt,
  collect_list(m.path) AS manifests_added,
  CASE
    WHEN attempt = 1 THEN array()
    WHEN attempt > 1 THEN
      collect_list(m.path) FILTER (
        WHERE m.existing_data_files_count + m.deleted_data_files_count
          + m.existing_delete_files_count + m.deleted_delete_files_count = 0)
  END AS manifests_written_before
FROM <table>.snapshots AS s
LEFT JOIN <table>.all_manifests AS m
  ON m.reference_snapshot_id = s.snapshot_id AND m.added_snapshot_id = s.snapshot_id
GROUP BY ALL
ORDER BY committed_at


-- deletes
-- Live deletes of snapshot <snapshot 2> of <table> and the data files that each applies to; one that applies to none has one row
WITH live AS (
  SELECT sequence_number, data_file.*, readable_metrics FROM <table>.entries VERSION AS OF <snapshot 2> WHERE status < 2
),
data AS (
  SELECT * FROM live WHERE content = 0
),
deletes AS (
  SELECT
    *, file_format = 'PUFFIN' AS is_vector, spec_id IN (-1) AS is_unpartitioned,
    coalesce(
      referenced_data_file,
      IF(lower_bounds[2147483546] = upper_bounds[2147483546],
        CAST(lower_bounds[2147483546] AS STRING), NULL)
    ) AS names
  FROM live WHERE content IN (1, 2)
),
vectors AS (
  SELECT DISTINCT names FROM deletes WHERE is_vector
),
pairs AS (
  -- position deletes and deletion vectors that name their file: the path alone decides where
  SELECT x.file_path AS delete_path, x.content_offset, d.file_path AS data_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON d.file_path = x.names AND d.sequence_number <= x.sequence_number
  LEFT JOIN vectors AS v ON v.names = d.file_path
  WHERE x.content = 1 AND (x.is_vector OR v.names IS NULL)
  UNION ALL
  -- position deletes of a partition; beside a deletion vector they are ignored
  SELECT x.file_path, x.content_offset, d.file_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON d.spec_id = x.spec_id AND d.partition <=> x.partition AND d.sequence_number <= x.sequence_number
  LEFT ANTI JOIN vectors AS v ON v.names = d.file_path
  WHERE x.content = 1 AND x.names IS NULL
  UNION ALL
  -- equality deletes: strictly older data, of their partition, or everywhere if their spec is unpartitioned
  SELECT x.file_path, x.content_offset, d.file_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON d.spec_id = x.spec_id AND d.partition <=> x.partition AND d.sequence_number < x.sequence_number
  WHERE x.content = 2 AND NOT x.is_unpartitioned
  UNION ALL
  SELECT x.file_path, x.content_offset, d.file_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON d.sequence_number < x.sequence_number
  WHERE x.content = 2 AND x.is_unpartitioned
)
SELECT
  x.file_path AS delete_path,
  x.content_offset,
  CASE WHEN x.content = 2 THEN 'equality deletes' WHEN x.is_vector THEN 'deletion vector' ELSE 'position deletes' END
    AS delete_content,
  x.sequence_number AS delete_sequence_number,
  p.data_path,
  p.sequence_number AS data_sequence_number,
  p.data_path IS NOT NULL AS applies
FROM deletes AS x
LEFT JOIN pairs AS p ON p.delete_path = x.file_path AND p.content_offset <=> x.content_offset
ORDER BY delete_content, delete_sequence_number, delete_path, x.content_offset, data_path


-- why
-- Rows that meet a condition, masked ones too: asking for _deleted makes Iceberg give them
SELECT * FROM (
    SELECT id, region, _file, _pos, _deleted
    FROM <table> VERSION AS OF <snapshot 2>
)
WHERE id = 1
ORDER BY _file, _pos

-- biography
-- Every version of these rows, each file in one snapshot in which it is live; asking for _deleted gives masked ones too
SELECT * FROM (
    SELECT id AS id, region AS region, _file, _pos, _deleted
    FROM <table> VERSION AS OF <snapshot 1>
    WHERE id >= 0 AND id <= 2 AND region = 'EU' AND _file IN ('<data file>')
)
WHERE id = 1

-- sequence_timeline
-- Every file of <table> from birth to removal, as far as entries of snapshots that are still listed tell
WITH entries AS (
  SELECT
    status,
    snapshot_id,
    sequence_number,
    file_sequence_number,
    data_file.file_path,
    data_file.content_offset,
    CASE
      WHEN data_file.content = 0 THEN 'data'
      WHEN data_file.content = 2 THEN 'equality deletes'
      WHEN upper(data_file.file_format) = 'PUFFIN' THEN 'deletion vector'
      ELSE 'position deletes'
    END AS content,
    data_file.spec_id,
    data_file.partition,
    data_file.record_count
  FROM <table>.all_entries
)
SELECT
  file_path,
  content_offset,
  any_value(content) AS content,
  any_value(spec_id) AS spec_id,
  any_value(partition) AS partition,
  any_value(record_count) AS record_count,
  sequence_number AS data_sequence_number,
  file_sequence_number,
  max(IF(status < 2, snapshot_id, NULL)) AS added_snapshot_id,
  file_sequence_number AS added_sequence_number, -- by definition
  sort_array(collect_set(IF(status = 2, snapshot_id, NULL))) AS removed_by -- each on its own branch
FROM entries
GROUP BY file_path, content_offset, sequence_number, file_sequence_number
ORDER BY added_sequence_number, file_path, content_offset


-- partitions
-- What lives in each partition of <table> after each commit that changed it, oldest commit first
WITH line AS ( -- the current snapshot and its ancestors that are still listed
  SELECT * FROM VALUES
    (<snapshot 1>L, 1L, 0),
    (<snapshot 2>L, 2L, 1)
  AS line(snapshot_id, sequence_number, place)
),
entries AS ( -- what lives after the oldest of them; and what each later one added and removed
  SELECT 0 AS place, false AS removed, sequence_number, file_sequence_number, data_file
  FROM <table>.entries VERSION AS OF <snapshot 1>
  WHERE status < 2
  UNION ALL
  SELECT place, status = 2, e.sequence_number, file_sequence_number, data_file
  FROM <table>.all_entries AS e JOIN line USING (snapshot_id)
  WHERE status > 0 AND place > 0
),
files AS ( -- each file, and at which commits of the line it is live: from first_place to before end_place
  SELECT
    data_file.file_path,
    data_file.content_offset,
    any_value(data_file.content) AS content,
    any_value(data_file.partition) AS partition,
    any_value(data_file.spec_id) AS spec_id,
    any_value(data_file.record_count) AS record_count,
    any_value(coalesce(data_file.content_size_in_bytes, data_file.file_size_in_bytes)) AS size_in_bytes,
    any_value(
      coalesce(
        data_file.referenced_data_file,
        IF(data_file.lower_bounds[2147483546] = data_file.upper_bounds[2147483546],
          CAST(data_file.lower_bounds[2147483546] AS STRING), NULL)
      )
    ) AS names, -- the one data file that a position delete names
    sequence_number,
    coalesce(min(place) FILTER (WHERE NOT removed), 2) AS first_place,
    coalesce(max(place) FILTER (WHERE removed), 2) AS end_place
  FROM entries
  GROUP BY data_file.file_path, data_file.content_offset, sequence_number, file_sequence_number
),
masks AS ( -- positions mask rows while their delete is live, and with it the data file that it names, if it names one
  SELECT
    x.partition, x.spec_id, x.record_count,
    greatest(x.first_place, coalesce(d.first_place, 0)) AS first_place,
    least(x.end_place, coalesce(d.end_place, 2)) AS end_place
  FROM files AS x
  LEFT JOIN files AS d ON d.content = 0 AND d.file_path = x.names AND d.sequence_number <= x.sequence_number
  WHERE x.content = 1 AND (x.names IS NULL OR d.file_path IS NOT NULL)
),
amounts AS (
  SELECT
    partition, spec_id, first_place, end_place,
    IF(content = 0, 1, 0) AS data_files,
    IF(content = 0, 0, 1) AS delete_files,
    IF(content = 2, 1, 0) AS equality_delete_files,
    IF(content = 0, record_count, 0) AS record_count,
    0 AS masked_records,
    IF(content = 0, size_in_bytes, 0) AS size_in_bytes,
    IF(content = 0, 0, size_in_bytes) AS delete_size_in_bytes
  FROM files
  UNION ALL
  SELECT partition, spec_id, first_place, end_place, 0, 0, 0, 0, record_count, 0, 0 FROM masks
),
changes AS ( -- a file counts from where it is live on, and no more from where it ends
  SELECT
    partition, spec_id,
    place,
    sum(sign * data_files) AS data_files,
    sum(sign * delete_files) AS delete_files,
    sum(sign * record_count) AS record_count,
    sum(sign * masked_records) AS masked_records,
    sum(sign * size_in_bytes) AS size_in_bytes,
    sum(sign * equality_delete_files) AS equality_delete_files,
    sum(sign * delete_size_in_bytes) AS delete_size_in_bytes
  FROM amounts LATERAL VIEW stack(2, first_place, 1, end_place, -1) AS place, sign
  WHERE first_place < end_place AND place < 2
  GROUP BY partition, spec_id, place
)
SELECT
  partition, spec_id,
  snapshot_id,
  sequence_number,
  sum(data_files) OVER so_far AS data_files,
  sum(delete_files) OVER so_far AS delete_files,
  sum(record_count) OVER so_far AS record_count,
  sum(masked_records) OVER so_far AS masked_records,
  sum(size_in_bytes) OVER so_far AS size_in_bytes,
  sum(equality_delete_files) OVER so_far AS equality_delete_files,
  sum(delete_size_in_bytes) OVER so_far AS delete_size_in_bytes
FROM changes JOIN line USING (place)
WINDOW so_far AS (PARTITION BY partition, spec_id ORDER BY place)
ORDER BY place, spec_id, partition


-- bisect
-- The answer at every snapshot that was read
SELECT <snapshot 1> AS snapshot_id, 1 AS sequence_number, CAST((
SELECT count(*) FROM <table> VERSION AS OF <snapshot 1> WHERE id = 1
) AS STRING) AS answer
UNION ALL
SELECT <snapshot 2> AS snapshot_id, 2 AS sequence_number, CAST((
SELECT count(*) FROM <table> VERSION AS OF <snapshot 2> WHERE id = 1
) AS STRING) AS answer
ORDER BY sequence_number

-- changelog, raw
-- Rows that the commits removed and added
WITH changed AS (
SELECT * FROM (
WITH life AS ( -- data files in question: since which commit of the line, until which, and at which they are read
  SELECT * FROM VALUES
    ('<data file>', 1, 3, 1, 1L, 0, 'region=EU')
  AS life (path, since, until, read_at, sequence_number, spec, place)
),
mask AS ( -- deletes that can mask rows of these files: since which commit of the line, and until which
  SELECT * FROM VALUES
    ('<data file>', '<data file>', 2, 3, 2L, 0, 'region=EU', false, false)
  AS mask (delete_path, names, since, until, sequence_number, spec, place, is_vector, reaches_all)
),
position_mask AS ( -- between which commits a position is in a delete that applies to its file
  SELECT life.path, life.since, held.pos, collect_list(named_struct('since', mask.since, 'until', mask.until)) AS spans
  FROM (
    SELECT file_path, pos, delete_file_path FROM <table>.position_deletes VERSION AS OF <snapshot 2>
    WHERE delete_file_path IN ('<data file>')
  ) AS held
  JOIN mask ON mask.delete_path = held.delete_file_path AND (mask.names IS NULL OR mask.names = held.file_path)
  JOIN life ON life.path = held.file_path AND coalesce(life.sequence_number <= mask.sequence_number, true)
    AND (mask.names IS NOT NULL OR (mask.spec = life.spec AND mask.place = life.place))
    AND life.since < mask.until AND mask.since < life.until
  GROUP BY life.path, life.since, held.pos
),
rows_read AS ( -- each file once, in a snapshot in which it is live
SELECT /*+ COALESCE(8) */ * FROM (
SELECT * FROM (
    SELECT id AS id, region AS region, _file, _pos, _deleted, 1 AS _read_at
    FROM <table> VERSION AS OF <snapshot 1>
    WHERE id >= 0 AND id <= 2 AND region = 'EU' AND _file IN ('<data file>')
  )
)
),
masked AS ( -- the rows with the spans in which the deletes of the line mask them, in order
  SELECT rows_read.*, life.since AS _since, life.until AS _until, sort_array(concat(
    coalesce(position_mask.spans, array()))) AS _masks
  FROM rows_read
  JOIN life ON life.path = rows_read._file AND life.read_at = rows_read._read_at
  LEFT JOIN position_mask ON position_mask.path = life.path AND position_mask.since = life.since
    AND position_mask.pos = rows_read._pos
),
merged AS ( -- spans that overlap or touch are one
  SELECT id, region, _file, _pos, _deleted, _read_at, _since, _until, IF(size(_masks) < 2, _masks, aggregate(
    _masks, CAST(array() AS ARRAY<STRUCT<since: INT, until: INT>>), (merged, span) -> IF(
      span.since <= try_element_at(merged, -1).until,
      concat(slice(merged, 1, size(merged) - 1), array(named_struct(
        'since', try_element_at(merged, -1).since,
        'until', greatest(try_element_at(merged, -1).until, span.until)))),
      concat(merged, array(span))))) AS _masks
  FROM masked
),
seen AS ( -- the rows with the commits at which they came to be visible, and ceased to be; 0 is before the first
  SELECT id, region, _file, _pos, CASE
    -- masked where it was read, by no delete of the line: by one that was there all the time
    WHEN _deleted AND NOT exists(_masks, span -> span.since <= _read_at AND _read_at < span.until) THEN array()
    WHEN size(_masks) = 0
      THEN array(named_struct('at', _since, 'came', true), named_struct('at', _until, 'came', false))
    ELSE concat(
      IF(exists(_masks, span -> span.since <= _since AND _since < span.until),
        array(), array(named_struct('at', _since, 'came', true))),
      transform(filter(_masks, span -> span.since > _since AND span.since < _until),
        span -> named_struct('at', span.since, 'came', false)),
      transform(filter(_masks, span -> span.until > _since AND span.until < _until),
        span -> named_struct('at', span.until, 'came', true)),
      IF(exists(_masks, span -> span.since < _until AND _until <= span.until),
        array(), array(named_struct('at', _until, 'came', false))))
    END AS _events
  FROM merged
  WHERE _since NOT IN (0, 3) OR _until NOT IN (0, 3) OR size(_masks) > 0 -- not one that stayed, or moved
)
SELECT *
FROM (
  SELECT id, region, IF(_event.came, 'INSERT', 'DELETE') AS _change_type,
    get(array(CAST(NULL AS INT), 0, 1), _event.at) AS _change_ordinal,
    get(array(CAST(NULL AS BIGINT), <snapshot 1>L, <snapshot 2>L), _event.at) AS _commit_snapshot_id
  FROM seen
  LATERAL VIEW explode(_events) events AS _event
)
WHERE _change_ordinal IS NOT NULL
)
)
SELECT id, region, _change_type, _change_ordinal, _commit_snapshot_id,
  get(array(1L, 2L), _change_ordinal) AS _commit_sequence_number
FROM changed

-- changelog, changes
-- Rows that the commits changed, without those that were only carried over
WITH versions AS (
SELECT * FROM (
WITH life AS ( -- data files in question: since which commit of the line, until which, and at which they are read
  SELECT * FROM VALUES
    ('<data file>', 1, 3, 1, 1L, 0, 'region=EU')
  AS life (path, since, until, read_at, sequence_number, spec, place)
),
mask AS ( -- deletes that can mask rows of these files: since which commit of the line, and until which
  SELECT * FROM VALUES
    ('<data file>', '<data file>', 2, 3, 2L, 0, 'region=EU', false, false)
  AS mask (delete_path, names, since, until, sequence_number, spec, place, is_vector, reaches_all)
),
position_mask AS ( -- between which commits a position is in a delete that applies to its file
  SELECT life.path, life.since, held.pos, collect_list(named_struct('since', mask.since, 'until', mask.until)) AS spans
  FROM (
    SELECT file_path, pos, delete_file_path FROM <table>.position_deletes VERSION AS OF <snapshot 2>
    WHERE delete_file_path IN ('<data file>')
  ) AS held
  JOIN mask ON mask.delete_path = held.delete_file_path AND (mask.names IS NULL OR mask.names = held.file_path)
  JOIN life ON life.path = held.file_path AND coalesce(life.sequence_number <= mask.sequence_number, true)
    AND (mask.names IS NOT NULL OR (mask.spec = life.spec AND mask.place = life.place))
    AND life.since < mask.until AND mask.since < life.until
  GROUP BY life.path, life.since, held.pos
),
rows_read AS ( -- each file once, in a snapshot in which it is live
SELECT /*+ COALESCE(8) */ * FROM (
SELECT * FROM (
    SELECT id AS id, region AS region, _file, _pos, _deleted, 1 AS _read_at
    FROM <table> VERSION AS OF <snapshot 1>
    WHERE id >= 0 AND id <= 2 AND region = 'EU' AND _file IN ('<data file>')
  )
)
),
masked AS ( -- the rows with the spans in which the deletes of the line mask them, in order
  SELECT rows_read.*, life.since AS _since, life.until AS _until, sort_array(concat(
    coalesce(position_mask.spans, array()))) AS _masks
  FROM rows_read
  JOIN life ON life.path = rows_read._file AND life.read_at = rows_read._read_at
  LEFT JOIN position_mask ON position_mask.path = life.path AND position_mask.since = life.since
    AND position_mask.pos = rows_read._pos
),
merged AS ( -- spans that overlap or touch are one
  SELECT id, region, _file, _pos, _deleted, _read_at, _since, _until, IF(size(_masks) < 2, _masks, aggregate(
    _masks, CAST(array() AS ARRAY<STRUCT<since: INT, until: INT>>), (merged, span) -> IF(
      span.since <= try_element_at(merged, -1).until,
      concat(slice(merged, 1, size(merged) - 1), array(named_struct(
        'since', try_element_at(merged, -1).since,
        'until', greatest(try_element_at(merged, -1).until, span.until)))),
      concat(merged, array(span))))) AS _masks
  FROM masked
),
seen AS ( -- the rows with the commits at which they came to be visible, and ceased to be; 0 is before the first
  SELECT id, region, _file, _pos, CASE
    -- masked where it was read, by no delete of the line: by one that was there all the time
    WHEN _deleted AND NOT exists(_masks, span -> span.since <= _read_at AND _read_at < span.until) THEN array()
    WHEN size(_masks) = 0
      THEN array(named_struct('at', _since, 'came', true), named_struct('at', _until, 'came', false))
    ELSE concat(
      IF(exists(_masks, span -> span.since <= _since AND _since < span.until),
        array(), array(named_struct('at', _since, 'came', true))),
      transform(filter(_masks, span -> span.since > _since AND span.since < _until),
        span -> named_struct('at', span.since, 'came', false)),
      transform(filter(_masks, span -> span.until > _since AND span.until < _until),
        span -> named_struct('at', span.until, 'came', true)),
      IF(exists(_masks, span -> span.since < _until AND _until <= span.until),
        array(), array(named_struct('at', _until, 'came', false))))
    END AS _events
  FROM merged
  WHERE _since NOT IN (0, 3) OR _until NOT IN (0, 3) OR size(_masks) > 0 -- not one that stayed, or moved
)
SELECT id, region, _events
FROM seen
)
),
together AS ( -- rows that may be equal, in one task
  SELECT /*+ REPARTITION(1, id) */ * FROM versions
),
counted AS ( -- how often each row left and came in each commit
  SELECT id, region, _change_ordinal, count_if(NOT _is_new) AS _gone, count_if(_is_new) AS _came
  FROM (
    SELECT id, region, _event.came AS _is_new, get(array(CAST(NULL AS INT), 0, 1), _event.at) AS _change_ordinal
    FROM together
    LATERAL VIEW explode(_events) events AS _event
  )
  WHERE _change_ordinal IS NOT NULL
  GROUP BY id, region, _change_ordinal
),
changes AS ( -- a row that left and came in one commit was only carried over
  SELECT id, region, IF(_came > _gone, 'INSERT', 'DELETE') AS _change_type, _change_ordinal,
    get(array(<snapshot 1>L, <snapshot 2>L), _change_ordinal) AS _commit_snapshot_id
  FROM counted
  LATERAL VIEW explode(sequence(1, abs(_came - _gone))) copies AS _copy
  WHERE _came <> _gone
)
SELECT id, region, _change_type, _change_ordinal, _commit_snapshot_id,
  get(array(1L, 2L), _change_ordinal) AS _commit_sequence_number
FROM changes

-- changelog, updates
-- Rows that the commits changed, the two sides of an update as a pair
WITH versions AS (
SELECT * FROM (
WITH life AS ( -- data files in question: since which commit of the line, until which, and at which they are read
  SELECT * FROM VALUES
    ('<data file>', 1, 3, 1, 1L, 0, 'region=EU')
  AS life (path, since, until, read_at, sequence_number, spec, place)
),
mask AS ( -- deletes that can mask rows of these files: since which commit of the line, and until which
  SELECT * FROM VALUES
    ('<data file>', '<data file>', 2, 3, 2L, 0, 'region=EU', false, false)
  AS mask (delete_path, names, since, until, sequence_number, spec, place, is_vector, reaches_all)
),
position_mask AS ( -- between which commits a position is in a delete that applies to its file
  SELECT life.path, life.since, held.pos, collect_list(named_struct('since', mask.since, 'until', mask.until)) AS spans
  FROM (
    SELECT file_path, pos, delete_file_path FROM <table>.position_deletes VERSION AS OF <snapshot 2>
    WHERE delete_file_path IN ('<data file>')
  ) AS held
  JOIN mask ON mask.delete_path = held.delete_file_path AND (mask.names IS NULL OR mask.names = held.file_path)
  JOIN life ON life.path = held.file_path AND coalesce(life.sequence_number <= mask.sequence_number, true)
    AND (mask.names IS NOT NULL OR (mask.spec = life.spec AND mask.place = life.place))
    AND life.since < mask.until AND mask.since < life.until
  GROUP BY life.path, life.since, held.pos
),
rows_read AS ( -- each file once, in a snapshot in which it is live
SELECT /*+ COALESCE(8) */ * FROM (
SELECT * FROM (
    SELECT id AS id, region AS region, _file, _pos, _deleted, 1 AS _read_at
    FROM <table> VERSION AS OF <snapshot 1>
    WHERE id >= 0 AND id <= 2 AND region = 'EU' AND _file IN ('<data file>')
  )
)
),
masked AS ( -- the rows with the spans in which the deletes of the line mask them, in order
  SELECT rows_read.*, life.since AS _since, life.until AS _until, sort_array(concat(
    coalesce(position_mask.spans, array()))) AS _masks
  FROM rows_read
  JOIN life ON life.path = rows_read._file AND life.read_at = rows_read._read_at
  LEFT JOIN position_mask ON position_mask.path = life.path AND position_mask.since = life.since
    AND position_mask.pos = rows_read._pos
),
merged AS ( -- spans that overlap or touch are one
  SELECT id, region, _file, _pos, _deleted, _read_at, _since, _until, IF(size(_masks) < 2, _masks, aggregate(
    _masks, CAST(array() AS ARRAY<STRUCT<since: INT, until: INT>>), (merged, span) -> IF(
      span.since <= try_element_at(merged, -1).until,
      concat(slice(merged, 1, size(merged) - 1), array(named_struct(
        'since', try_element_at(merged, -1).since,
        'until', greatest(try_element_at(merged, -1).until, span.until)))),
      concat(merged, array(span))))) AS _masks
  FROM masked
),
seen AS ( -- the rows with the commits at which they came to be visible, and ceased to be; 0 is before the first
  SELECT id, region, _file, _pos, CASE
    -- masked where it was read, by no delete of the line: by one that was there all the time
    WHEN _deleted AND NOT exists(_masks, span -> span.since <= _read_at AND _read_at < span.until) THEN array()
    WHEN size(_masks) = 0
      THEN array(named_struct('at', _since, 'came', true), named_struct('at', _until, 'came', false))
    ELSE concat(
      IF(exists(_masks, span -> span.since <= _since AND _since < span.until),
        array(), array(named_struct('at', _since, 'came', true))),
      transform(filter(_masks, span -> span.since > _since AND span.since < _until),
        span -> named_struct('at', span.since, 'came', false)),
      transform(filter(_masks, span -> span.until > _since AND span.until < _until),
        span -> named_struct('at', span.until, 'came', true)),
      IF(exists(_masks, span -> span.since < _until AND _until <= span.until),
        array(), array(named_struct('at', _until, 'came', false))))
    END AS _events
  FROM merged
  WHERE _since NOT IN (0, 3) OR _until NOT IN (0, 3) OR size(_masks) > 0 -- not one that stayed, or moved
)
SELECT id, region, _events
FROM seen
)
),
together AS ( -- rows that may be equal, in one task
  SELECT /*+ REPARTITION(1, id) */ * FROM versions
),
counted AS ( -- how often each row left and came in each commit
  SELECT id, region, _change_ordinal, count_if(NOT _is_new) AS _gone, count_if(_is_new) AS _came
  FROM (
    SELECT id, region, _event.came AS _is_new, get(array(CAST(NULL AS INT), 0, 1), _event.at) AS _change_ordinal
    FROM together
    LATERAL VIEW explode(_events) events AS _event
  )
  WHERE _change_ordinal IS NOT NULL
  GROUP BY id, region, _change_ordinal
),
changes AS ( -- a row that left and came in one commit was only carried over
  SELECT id, region, IF(_came > _gone, 'INSERT', 'DELETE') AS _change_type, _change_ordinal,
    get(array(<snapshot 1>L, <snapshot 2>L), _change_ordinal) AS _commit_snapshot_id
  FROM counted
  LATERAL VIEW explode(sequence(1, abs(_came - _gone))) copies AS _copy
  WHERE _came <> _gone
),
updates AS (
  SELECT id, region,
    CASE
      WHEN count(*) OVER one_row <> 2 OR min(_change_type) OVER one_row = max(_change_type) OVER one_row
        THEN _change_type
      WHEN _change_type = 'INSERT' THEN 'UPDATE_AFTER'
      ELSE 'UPDATE_BEFORE'
    END AS _change_type,
    _change_ordinal, _commit_snapshot_id
  FROM changes
  WINDOW one_row AS (PARTITION BY id, _change_ordinal)
)
SELECT id, region, _change_type, _change_ordinal, _commit_snapshot_id,
  get(array(1L, 2L), _change_ordinal) AS _commit_sequence_number
FROM updates

-- changelog, net
-- Rows that the commits changed, less what later ones took back
WITH versions AS (
SELECT * FROM (
WITH life AS ( -- data files in question: since which commit of the line, until which, and at which they are read
  SELECT * FROM VALUES
    ('<data file>', 1, 3, 1, 1L, 0, 'region=EU')
  AS life (path, since, until, read_at, sequence_number, spec, place)
),
mask AS ( -- deletes that can mask rows of these files: since which commit of the line, and until which
  SELECT * FROM VALUES
    ('<data file>', '<data file>', 2, 3, 2L, 0, 'region=EU', false, false)
  AS mask (delete_path, names, since, until, sequence_number, spec, place, is_vector, reaches_all)
),
position_mask AS ( -- between which commits a position is in a delete that applies to its file
  SELECT life.path, life.since, held.pos, collect_list(named_struct('since', mask.since, 'until', mask.until)) AS spans
  FROM (
    SELECT file_path, pos, delete_file_path FROM <table>.position_deletes VERSION AS OF <snapshot 2>
    WHERE delete_file_path IN ('<data file>')
  ) AS held
  JOIN mask ON mask.delete_path = held.delete_file_path AND (mask.names IS NULL OR mask.names = held.file_path)
  JOIN life ON life.path = held.file_path AND coalesce(life.sequence_number <= mask.sequence_number, true)
    AND (mask.names IS NOT NULL OR (mask.spec = life.spec AND mask.place = life.place))
    AND life.since < mask.until AND mask.since < life.until
  GROUP BY life.path, life.since, held.pos
),
rows_read AS ( -- each file once, in a snapshot in which it is live
SELECT /*+ COALESCE(8) */ * FROM (
SELECT * FROM (
    SELECT id AS id, region AS region, _file, _pos, _deleted, 1 AS _read_at
    FROM <table> VERSION AS OF <snapshot 1>
    WHERE id >= 0 AND id <= 2 AND region = 'EU' AND _file IN ('<data file>')
  )
)
),
masked AS ( -- the rows with the spans in which the deletes of the line mask them, in order
  SELECT rows_read.*, life.since AS _since, life.until AS _until, sort_array(concat(
    coalesce(position_mask.spans, array()))) AS _masks
  FROM rows_read
  JOIN life ON life.path = rows_read._file AND life.read_at = rows_read._read_at
  LEFT JOIN position_mask ON position_mask.path = life.path AND position_mask.since = life.since
    AND position_mask.pos = rows_read._pos
),
merged AS ( -- spans that overlap or touch are one
  SELECT id, region, _file, _pos, _deleted, _read_at, _since, _until, IF(size(_masks) < 2, _masks, aggregate(
    _masks, CAST(array() AS ARRAY<STRUCT<since: INT, until: INT>>), (merged, span) -> IF(
      span.since <= try_element_at(merged, -1).until,
      concat(slice(merged, 1, size(merged) - 1), array(named_struct(
        'since', try_element_at(merged, -1).since,
        'until', greatest(try_element_at(merged, -1).until, span.until)))),
      concat(merged, array(span))))) AS _masks
  FROM masked
),
seen AS ( -- the rows with the commits at which they came to be visible, and ceased to be; 0 is before the first
  SELECT id, region, _file, _pos, CASE
    -- masked where it was read, by no delete of the line: by one that was there all the time
    WHEN _deleted AND NOT exists(_masks, span -> span.since <= _read_at AND _read_at < span.until) THEN array()
    WHEN size(_masks) = 0
      THEN array(named_struct('at', _since, 'came', true), named_struct('at', _until, 'came', false))
    ELSE concat(
      IF(exists(_masks, span -> span.since <= _since AND _since < span.until),
        array(), array(named_struct('at', _since, 'came', true))),
      transform(filter(_masks, span -> span.since > _since AND span.since < _until),
        span -> named_struct('at', span.since, 'came', false)),
      transform(filter(_masks, span -> span.until > _since AND span.until < _until),
        span -> named_struct('at', span.until, 'came', true)),
      IF(exists(_masks, span -> span.since < _until AND _until <= span.until),
        array(), array(named_struct('at', _until, 'came', false))))
    END AS _events
  FROM merged
  WHERE _since NOT IN (0, 3) OR _until NOT IN (0, 3) OR size(_masks) > 0 -- not one that stayed, or moved
)
SELECT id, region, _events
FROM seen
)
),
together AS ( -- rows that may be equal, in one task; rand() keeps Spark from planning and reading them once for each who asks
  SELECT /*+ REPARTITION(1, id, region) */ * FROM versions
  WHERE rand() >= 0
),
balanced AS ( -- how many more of a row came than left, and its last change: twice the ordinal, one more if it came
  SELECT /*+ REPARTITION(1, id, region, _last) */ * -- once for both of its readers
  FROM (
    SELECT id, region, sum(IF(_is_new, 1, -1)) AS _balance, max(2 * _change_ordinal + IF(_is_new, 1, 0)) AS _last
    FROM (
      SELECT id, region, _event.came AS _is_new, get(array(CAST(NULL AS INT), 0, 1), _event.at) AS _change_ordinal
      FROM together
      LATERAL VIEW explode(_events) events AS _event
    )
    WHERE _change_ordinal IS NOT NULL
    GROUP BY id, region
  )
  WHERE _balance <> 0
),
counted AS ( -- how often each row left and came in each commit
  SELECT id, region, _change_ordinal, count_if(NOT _is_new) AS _gone, count_if(_is_new) AS _came
  FROM (
    SELECT id, region, _event.came AS _is_new, get(array(CAST(NULL AS INT), 0, 1), _event.at) AS _change_ordinal
    FROM together
    LATERAL VIEW explode(_events) events AS _event
  )
  WHERE _change_ordinal IS NOT NULL
  GROUP BY id, region, _change_ordinal
),
walked AS ( -- how many more of a row had come than left before each commit, of rows there several times at once
  SELECT *, coalesce(sum(_came - _gone) OVER (
    PARTITION BY id, region ORDER BY _change_ordinal ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
  ), 0) AS _before
  FROM (
    SELECT /*+ BROADCAST(several) */ *
    FROM counted LEFT SEMI JOIN (
      SELECT _row_key
      FROM balanced
      LATERAL VIEW explode(IF(_balance = 1 AND _last % 2 = 1 OR _balance = -1 AND _last % 2 = 0, array(), array(xxhash64(id, region)))) unsettled AS _row_key
    ) AS several ON several._row_key = xxhash64(id, region)
  )
),
summed AS (
  SELECT id, region, sum(_came - _gone) AS _balance, max(2 * _change_ordinal + IF(_came > 0, 1, 0)) AS _last,
    max(_change_ordinal) FILTER (
      WHERE _before = 0 OR (_before > 0 AND _before < _gone) OR (_before > 0 AND _before = _gone AND _came > 0)
        OR (_before < _gone AND _before - _gone + _came > 0)
    ) AS _change_ordinal
  FROM walked
  GROUP BY id, region
),
net AS (
  SELECT id, region, IF(_balance > 0, 'INSERT', 'DELETE') AS _change_type, _change_ordinal,
    get(array(<snapshot 1>L, <snapshot 2>L), _change_ordinal) AS _commit_snapshot_id
  FROM (
    SELECT id, region, IF(_balance = 1 AND _last % 2 = 1 OR _balance = -1 AND _last % 2 = 0, _balance, 0) AS _balance, CAST(_last DIV 2 AS INT) AS _change_ordinal FROM balanced
    UNION ALL
    SELECT id, region, _balance, _change_ordinal FROM summed WHERE _balance <> 0 AND NOT (_balance = 1 AND _last % 2 = 1 OR _balance = -1 AND _last % 2 = 0)
  )
  LATERAL VIEW explode(IF(_balance = 0, array(), sequence(1, abs(_balance)))) copies AS _copy
)
SELECT id, region, _change_type, _change_ordinal, _commit_snapshot_id,
  get(array(1L, 2L), _change_ordinal) AS _commit_sequence_number
FROM net

-- changelog, ownership
-- Rows live at <snapshot 2>, each with the commit that owns it
WITH live AS (
    SELECT id AS id, region AS region, _file
    FROM <table> VERSION AS OF <snapshot 2>
),
owner AS ( -- a file that was added twice belongs to the later commit
  SELECT file_path AS _owned_path, max_by(snapshot_id, file_sequence_number) AS _owner_id,
    max(file_sequence_number) AS _owner_number
  FROM (
    SELECT data_file.file_path, snapshot_id, file_sequence_number
    FROM <table>.entries VERSION AS OF <snapshot 2>
    WHERE status < 2 AND data_file.content = 0
  )
  GROUP BY file_path
),
numbered AS ( -- the commits of the range; of some it is not known what they removed
  SELECT * FROM VALUES (<snapshot 1>L, 0, true), (<snapshot 2>L, 1, true) AS commit(_numbered_id, _change_ordinal, _is_told)
)
SELECT id, region, 'INSERT' AS _change_type, _change_ordinal, _owner_id AS _commit_snapshot_id,
  _owner_number AS _commit_sequence_number, IF(_is_told, false, NULL) AS _carried_over
FROM live
JOIN owner ON _owned_path = _file
LEFT JOIN numbered ON _numbered_id = _owner_id

-- commit with rows
-- Files that snapshot <snapshot 2> of <table> added and removed
SELECT
  data_file.file_path,
  data_file.content_offset,
  CASE
    WHEN data_file.content = 0 THEN 'data'
    WHEN data_file.content = 2 THEN 'equality deletes'
    WHEN upper(data_file.file_format) = 'PUFFIN' THEN 'deletion vector'
    ELSE 'position deletes'
  END AS content,
  CASE status WHEN 1 THEN 'added' WHEN 2 THEN 'removed' END AS change,
  data_file.spec_id,
  data_file.partition,
  data_file.record_count,
  data_file.file_size_in_bytes,
  sequence_number AS data_sequence_number,
  file_sequence_number
FROM <table>.entries VERSION AS OF <snapshot 2>
WHERE snapshot_id = <snapshot 2> AND status IN (1, 2)
ORDER BY change DESC, file_path, content_offset


-- deletes, ruled out
-- Live deletes of snapshot <snapshot 2> of <table> and the data files that each applies to; one that applies to none has one row
WITH live AS (
  SELECT sequence_number, data_file.*, readable_metrics FROM <table>.entries VERSION AS OF <snapshot 2> WHERE status < 2
),
data AS (
  SELECT * FROM live WHERE content = 0
),
deletes AS (
  SELECT
    *, file_format = 'PUFFIN' AS is_vector, spec_id IN (-1) AS is_unpartitioned,
    coalesce(
      referenced_data_file,
      IF(lower_bounds[2147483546] = upper_bounds[2147483546],
        CAST(lower_bounds[2147483546] AS STRING), NULL)
    ) AS names
  FROM live WHERE content IN (1, 2)
),
vectors AS (
  SELECT DISTINCT names FROM deletes WHERE is_vector
),
pairs AS (
  -- position deletes and deletion vectors that name their file: the path alone decides where
  SELECT x.file_path AS delete_path, x.content_offset, d.file_path AS data_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON d.file_path = x.names AND d.sequence_number <= x.sequence_number
  LEFT JOIN vectors AS v ON v.names = d.file_path
  WHERE x.content = 1 AND (x.is_vector OR v.names IS NULL)
  UNION ALL
  -- position deletes of a partition; beside a deletion vector they are ignored
  SELECT x.file_path, x.content_offset, d.file_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON d.spec_id = x.spec_id AND d.partition <=> x.partition AND d.sequence_number <= x.sequence_number
  LEFT ANTI JOIN vectors AS v ON v.names = d.file_path
  WHERE x.content = 1 AND x.names IS NULL
  UNION ALL
  -- equality deletes: strictly older data, of their partition, or everywhere if their spec is unpartitioned
  SELECT x.file_path, x.content_offset, d.file_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON d.spec_id = x.spec_id AND d.partition <=> x.partition AND d.sequence_number < x.sequence_number
  WHERE x.content = 2 AND NOT x.is_unpartitioned
  UNION ALL
  SELECT x.file_path, x.content_offset, d.file_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON d.sequence_number < x.sequence_number
  WHERE x.content = 2 AND x.is_unpartitioned
)
SELECT
  x.file_path AS delete_path,
  x.content_offset,
  CASE WHEN x.content = 2 THEN 'equality deletes' WHEN x.is_vector THEN 'deletion vector' ELSE 'position deletes' END
    AS delete_content,
  x.sequence_number AS delete_sequence_number,
  p.data_path,
  p.sequence_number AS data_sequence_number,
  p.data_path IS NOT NULL AS applies
FROM deletes AS x
LEFT JOIN pairs AS p ON p.delete_path = x.file_path AND p.content_offset <=> x.content_offset
ORDER BY delete_content, delete_sequence_number, delete_path, x.content_offset, data_path


