package evidence

import "testing"

// TestH3_EachWithItsOwn: a number or a name stays with the words with which the
// answers have it, and what they deny or refuse is not told as so.
func TestH3_EachWithItsOwn(t *testing.T) {
	zone := story{Ask: "¿por qué falla el test solo en CI?", Answer: "En CI la zona es UTC y en tu máquina Europe/Madrid. Lo he arreglado fijando la zona en el propio test. Aquí pasa con las dos; en CI todavía no se ha ejecutado.", Tools: []string{"edit tests/test_week.py", "run pytest tests/test_week.py => 0 6 passed"}}
	count := story{Ask: "what does the import skip?", Answer: "The import skips 12 customers without an address and 31 orders without a customer. I changed nothing.", Tools: []string{"read src/import.py"}}
	lease := story{Ask: "帮我把房租合同里对租客不利的条款找出来", Answer: "第 6 条提前退租扣两个月押金，第 14 条维修费全部由租客承担，第 9 条房东可随时进屋。其中第 9 条最值得去谈。", Tools: []string{"read 租房合同.txt"}}
	export := story{Ask: "把订单导出改成异步", Answer: "导出现在由后台任务处理。单元测试全部通过，但我没有在真实数据量下试过。", Tools: []string{"edit app/export.py", "run pytest => 0 52 passed"}}
	minutes := story{Ask: "haz un resumen de las actas de la reunión", Answer: "He resumido las actas en resumen.md. Acordado: pintar la escalera. La instalación del ascensor se votó y se rechazó por 7 a 5.", Tools: []string{"edit resumen.md"}}
	protocol := story{Ask: "fasse das Protokoll zusammen", Answer: "Das Protokoll ist in zusammenfassung.md zusammengefasst. Beschlossen wurde der Anstrich im Treppenhaus. Der Einbau eines Aufzugs wurde abgelehnt.", Tools: []string{"edit zusammenfassung.md"}}
	vetAll(t, []vetTest{
		{"crossed names", zone, "El test fallaba por la zona: CI usa Europe/Madrid y la máquina local UTC.", false},
		{"names", zone, "El test fallaba por la zona: en CI es UTC y en la máquina local Europe/Madrid.", true},
		{"crossed numbers", count, "The import skips 31 customers without an address and 12 orders without a customer.", false},
		{"numbers", count, "The import skips 12 customers without an address and 31 orders without a customer.", true},
		{"numbers, the other way round", count, "The import skips 31 orders without a customer and 12 customers without an address.", true},
		{"another number", lease, "房租合同里有对租客不利的条款，其中第 14 条最值得去谈。", false},
		{"its number", lease, "房租合同里有对租客不利的条款，其中第 9 条最值得去谈。", true},
		{"not there", zone, "El test lleva ahora la zona fijada y ya pasa también en CI.", false},
		{"not there, true", zone, "El test lleva ahora la zona fijada; en CI todavía no se ha ejecutado.", true},
		{"not on real data", export, "订单导出由后台任务处理，在真实数据量下验证过没有问题。", false},
		{"refused", minutes, "El resumen de las actas recoge que se pintará la escalera y que se instalará el ascensor.", false},
		{"refused, true", minutes, "El resumen de las actas recoge que se pintará la escalera y que se rechazó el ascensor.", true},
		{"refused, German", protocol, "Laut Protokoll wird das Treppenhaus gestrichen, und der Aufzug wird eingebaut.", false},
	})
}
