package opencode

import (
	"fmt"
	"strconv"
	"strings"
)

// What SQL picks of rows that are too long to be read whole. The results have
// the shape of the rows, so the parser does not know the difference.

// messageQuery reads a message: its time, its size and its data.
func messageQuery() string {
	return `SELECT CAST(time_created AS INTEGER), ifnull(octet_length(data), 0), ` + pick(`json_object(
	'role', data->'$.role', 'time', data->'$.time', 'parentID', data->'$.parentID', 'modelID', data->'$.modelID',
	'providerID', data->'$.providerID', 'model', data->'$.model', 'finish', data->'$.finish',
	'error', json_object('name', `+ends(`data->>'$.error.name'`, cutOutput)+`,
		'data', json_object('message', `+ends(`data->>'$.error.data.message'`, cutOutput)+`)),
	'summary', CASE json_type(data, '$.summary') WHEN 'true' THEN json('true') END)`) + ` FROM message WHERE id = ?`
}

// partQuery reads the parts of a message before an id: their size, whether
// their text was cut, their data.
func partQuery() string {
	return fmt.Sprintf(`SELECT ifnull(octet_length(data), 0), octet_length(data) > %d, `, wholeText) + pick(`CASE data->>'$.type'
	WHEN 'text' THEN CASE WHEN octet_length(data) <= `+strconv.Itoa(wholeText)+` THEN data ELSE `+keep(
		`'text', `+ends(`data->>'$.text'`, cutText), "synthetic", "ignored")+` END
	WHEN 'file' THEN `+keep(`'source', json_object('path', data->'$.source.path')`, "mime", "filename")+`
	WHEN 'subtask' THEN `+keep(`'prompt', `+ends(`data->>'$.prompt'`, cutText))+`
	WHEN 'tool' THEN `+keep(`'state', json_object(
		'status', data->'$.state.status', 'time', data->'$.state.time',
		'error', `+ends(`data->>'$.state.error'`, cutOutput)+`,
		'output', `+ends(`data->>'$.state.output'`, cutOutput)+`,
		'metadata', CASE WHEN json_type(data, '$.state.metadata') IS NOT NULL THEN json_object('exit', data->'$.state.metadata.exit', 'interrupted', data->'$.state.metadata.interrupted',
			'files', json((SELECT json_group_array(json_object('filePath', f.value->'$.filePath', 'movePath', f.value->'$.movePath', 'file', f.value->'$.file'))
				FROM (SELECT value FROM json_each(data, '$.state.metadata.files') WHERE type = 'object' LIMIT 200) f))) END,
		'input', json_object('filePath', data->'$.state.input.filePath', 'path', data->'$.state.input.path',
			'command', `+ends(`data->>'$.state.input.command'`, cutText)+`,
			'patchText', `+ends(`data->>'$.state.input.patchText'`, cutText)+`,
			'questions', data->'$.state.input.questions', 'todos', data->'$.state.input.todos'))`, "tool", "callID")+`
	ELSE json_object('type', data->'$.type') END`) + fmt.Sprintf(` FROM part WHERE message_id = ?1 AND id < ?2 ORDER BY id LIMIT %d`, maxParts+1)
}

// pick gives short data whole, of long data what long says, and NULL where it
// is too long or no JSON.
func pick(long string) string {
	return fmt.Sprintf(`CASE WHEN octet_length(data) <= %d THEN data WHEN octet_length(data) > %d OR NOT json_valid(data) THEN NULL ELSE %s END`,
		smallRow, maxRow, long)
}

// keep makes an object of the type, the fields and what else stands in more.
func keep(more string, fields ...string) string {
	out := []string{`'type', data->'$.type'`, more}
	for _, f := range fields {
		out = append(out, fmt.Sprintf(`'%[1]s', data->'$.%[1]s'`, f))
	}
	return `json_object(` + strings.Join(out, ", ") + `)`
}

// ends keeps both ends of a long text.
func ends(expr string, n int) string {
	return fmt.Sprintf(`CASE WHEN length(%[1]s) > %[3]d THEN substr(%[1]s, 1, %[2]d) || char(10) || '…' || char(10) || substr(%[1]s, -%[2]d) ELSE %[1]s END`,
		expr, n, 2*n+3)
}
