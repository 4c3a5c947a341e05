// Decoration that is not written yet: nothing.
#include "scene/list.h"

#define NOTHING(name)                                                                                        \
    void name(const snvList* list)                                                                           \
    {                                                                                                        \
        (void)list;                                                                                          \
    }
NOTHING(snv_addTendons)
NOTHING(snv_addSliderCranks)
NOTHING(snv_addBodyVolumes)
NOTHING(snv_addMeshVolumes)
NOTHING(snv_addFieldSteps)
NOTHING(snv_addInertias)
NOTHING(snv_addPerturbation)
NOTHING(snv_addBodyFrames)
NOTHING(snv_addWorldFrame)
NOTHING(snv_addBodyLabels)
NOTHING(snv_addSelection)
NOTHING(snv_addJoints)
NOTHING(snv_addActuators)
NOTHING(snv_addIslandLabels)
NOTHING(snv_addCameras)
NOTHING(snv_addLights)
NOTHING(snv_addCentres)
NOTHING(snv_addConnections)
NOTHING(snv_addRays)
NOTHING(snv_addForces)
NOTHING(snv_addConstraints)
NOTHING(snv_addContacts)
